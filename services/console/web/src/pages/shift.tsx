// The shift: what came, what is open, what was watched, and the hand-over by two people.
import { useState } from 'preact/hooks';

import { get, post, query, session, told } from '../base/api';
import { actOnAll, newId } from '../base/acts';
import { useLoaded } from '../base/hooks';
import { incidents, logVersion } from '../base/live';
import { count, dollars, words } from '../base/money';
import { params, put } from '../base/router';
import { fromHouse, span, zone } from '../base/time';
import type { Entry, Incident, ShiftReport, TableShift } from '../base/types';
import { Await, Badge, Brief, Head } from '../parts/bits';
import { Dialog } from '../parts/dialog';
import { Entries, mayWrite } from './log';

const FIELDS = ['from', 'until'] as const;

export function Shift() {
  const at = params.value;
  const [over, setOver] = useState(false);
  const wanted = Object.fromEntries(FIELDS.map((name) => [name, at.get(name) ?? '']));
  const path = `/shift${query({ from: fromHouse(wanted.from ?? ''), until: fromHouse(wanted.until ?? '') })}`;
  const [loaded, again] = useLoaded(`${path} ${logVersion.value}`, () => get<ShiftReport>(path));
  const paper = `/api/v1${path}${path.includes('?') ? '&' : '?'}format=html`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    put(Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')])), false);
  };
  return (
    <div class="page">
      <Head title="Shift"><p class="sub">The last eight hours, if nothing else is said. Times are the house’s ({zone.value}).</p></Head>
      <form class="asks" onSubmit={submit} key={at.toString()}>
        <label>From<input name="from" type="datetime-local" step="1" defaultValue={wanted.from} /></label>
        <label>Until<input name="until" type="datetime-local" step="1" defaultValue={wanted.until} /></label>
        <button>Look up</button>
        {mayWrite() && <button type="button" class="main" onClick={() => setOver(true)}>Hand over</button>}
        <a href={paper} target="_blank" rel="noreferrer">Print</a>
      </form>
      <Await of={loaded} again={again}>{(report) => <Report of={report} />}</Await>
      {over && <HandOver onClose={() => setOver(false)} />}
    </div>
  );
}

function Report({ of }: { of: ShiftReport }) {
  const kind = (name: string) => of.entries.filter((entry) => entry.kind === name);
  const feed = of.tables.filter((table) => table.lost_events > 0 || table.silent_seconds > 0);
  const money = of.tables.flatMap((table) => table.money.map((moved) => ({ table: table.table, ...moved })));
  const extended = of.tables.flatMap((table) => table.extended_use.map((set) => ({ table: table.table, ...set })));
  return (
    <>
      {of.gaps.map((gap) => <p key={gap} class="wrong" role="alert">Not whole: {gap}</p>)}
      <p>
        <Brief at={of.from} /> to <Brief at={of.until} />: {count(of.incidents.length)} incidents came ({of.by_priority.map((number, index) => `${number} of priority ${index + 1}`).join(', ')}), {count(of.late)} went up because a deadline passed, <b>{count(of.open.length)} are open</b>.
      </p>
      <Taken of={of} />
      <Part title="Open now" none="Nothing is open.">{of.open.length > 0 && <Incidents of={of.open} />}</Part>
      <Part title="Watched by the room" none="Nothing is written down.">{kind('watched').length > 0 && <Entries of={kind('watched')} />}</Part>
      <Part title="Fills, credits, drops and counts told by the floor" none="None were told.">
        {money.length > 0 && <table class="list"><tbody>{money.map((moved, index) => <tr key={index}><td class="tight">{moved.table}</td><td><Brief at={moved.at} /></td><td>{moved.what}</td><td>{moved.name ?? ''}</td><td class="r num">{moved.amount_cents === undefined ? '' : dollars(moved.amount_cents)}</td></tr>)}</tbody></table>}
      </Part>
      <Part title="Camera outages" none="None is written down.">{kind('camera_outage').length > 0 && <Entries of={kind('camera_outage')} />}</Part>
      <Part title="Feed" none="No table had a gap or fell silent.">
        {feed.length > 0 && <table class="list"><tbody>{feed.map((table) => <tr key={`${table.property} ${table.table}`}><td class="tight">{table.table}</td><td>{feedOf(table)}</td></tr>)}</tbody></table>}
      </Part>
      <Part title="Cards in extended use" none="None are known.">
        {extended.length > 0 && <table class="list"><tbody>{extended.map((set) => <tr key={set.set}><td class="tight">{set.table}</td><td>{set.set}</td><td>since <Brief at={set.since} /></td></tr>)}</tbody></table>}
      </Part>
      <Part title="Told outside the room" none="Nobody, by what is written down.">{kind('notification').length > 0 && <Entries of={kind('notification')} />}</Part>
      <Part title="Incidents of this shift" none="None came.">{of.incidents.length > 0 && <Incidents of={of.incidents} />}</Part>
      <Part title="At work" none="Nobody did or wrote anything.">
        {of.people.length > 0 && <table class="list"><tbody>{of.people.map((one) => <tr key={one.id}><td>{one.id}</td><td>{words(one.role)}</td><td class="num">{count(one.acts)} acts, {count(one.entries)} entries</td></tr>)}</tbody></table>}
      </Part>
      <p class="faint foot">Made <Brief at={of.made_at} /> from the acts, the log and the floor’s events.</p>
    </>
  );
}

function Part({ title, none, children }: { title: string; none: string; children: preact.ComponentChildren }) {
  return <section class="part"><h2>{title}</h2>{children || <p class="faint">{none}</p>}</section>;
}

const feedOf = (table: TableShift): string =>
  [table.lost_events > 0 && `${count(table.lost_events)} events lost in ${span(table.gap_seconds)}`, table.silent_seconds > 0 && `silent for ${span(table.silent_seconds)}`].filter(Boolean).join('; ');

function Incidents({ of }: { of: Incident[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Incidents">
      <table class="list">
        <tbody>
          {of.map((one) => (
            <tr key={one.id}>
              <td><Badge priority={one.priority} /></td><td><Brief at={one.heard ?? one.began} /></td><td class="tight">{one.table}</td>
              <td><a href={`/queue/${one.id}`}>{one.headline}</a></td>
              <td>{one.disposal ? words(one.disposal.verdict) : one.status === 'open' ? one.held ? `held by ${one.held.by}` : 'open' : words(one.status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where the hand-over stands; whoever it is to takes it over here. */
function Taken({ of }: { of: ShiftReport }) {
  const [why, setWhy] = useState('');
  const [id] = useState(newId);
  const handed = of.handed_over;
  if (!handed) return <p class="faint">The shift was not handed over.</p>;
  const { offer, taken } = handed;
  const take = async () => {
    try {
      await post<{ entry: Entry }>('/log', { id, kind: 'take_over', refers_to: offer.number, property: offer.property, summary: 'taken over' });
      logVersion.value += 1;
    } catch (error) {
      setWhy(told(error));
    }
  };
  const mine = offer.to === session.value?.user.id;
  return (
    <p class="handed" data-handed={taken ? 'taken' : 'offered'}>
      No. {offer.number}: {offer.by.id} handed over to <b>{offer.to}</b> at <Brief at={offer.at} /> (“{offer.summary}”).{' '}
      {taken ? <>{taken.by.id} took over at <Brief at={taken.at} />.</> : <b class="wrong">Nobody has taken it over yet.</b>}{' '}
      {!taken && mine && <button class="main" onClick={take}>Take over</button>}
      {why && <span class="wrong" role="alert">Not taken over: {why}</span>}
    </p>
  );
}

function HandOver({ onClose }: { onClose: () => void }) {
  const [why, setWhy] = useState('');
  const [busy, setBusy] = useState(false);
  const [id] = useState(newId);
  const me = session.value?.user.id;
  const held = [...incidents.values()].filter((one) => one.status === 'open' && one.held?.by === me);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const to = String(data.get('to') ?? '').trim();
    setBusy(true);
    try {
      await post('/log', { id, kind: 'hand_over', to, summary: String(data.get('summary') ?? '').trim() || 'the shift is handed over' });
      if (held.length > 0) await actOnAll(held, { deed: 'hand_over', to });
      logVersion.value += 1;
      onClose();
    } catch (error) {
      setWhy(told(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Hand the shift over" onClose={onClose}>
      <form class="write" onSubmit={submit}>
        <p class="whole">{held.length === 0 ? 'You hold no incident.' : `The ${count(held.length)} incidents that you hold go with it.`} Whoever takes over says so under their own name.</p>
        <label class="whole">To<input name="to" required autoComplete="off" data-first /></label>
        <label class="whole">What they should know<textarea name="summary" rows={4} maxLength={2000} /></label>
        {why && <p class="wrong whole" role="alert">Not handed over: {why}</p>}
        <div class="whole buttons"><button type="button" onClick={onClose}>Cancel</button><button class="main" disabled={busy}>Hand over</button></div>
      </form>
    </Dialog>
  );
}
