// Cases: what investigators open, fill, hold and close, and what the room disposed of under their numbers.
import { useState } from 'preact/hooks';

import { newId } from '../base/acts';
import { get, post, session, told } from '../base/api';
import { lookUnder, underCase, wantsCase } from '../base/case';
import { useKeys, useLoaded } from '../base/hooks';
import { count, dollars, words } from '../base/money';
import { go } from '../base/router';
import { moment, now } from '../base/time';
import type { CaseAct, Incident } from '../base/types';
import { Await, Badge, Brief, Empty, Head, Loss, RoundLink } from '../parts/bits';
import { Dialog } from '../parts/dialog';
import { mayActOnCases, mayReadCases } from './places';

export interface Case {
  number: string;
  closed: boolean;
  held: { since: string; authority: string } | null;
  rounds: string[];
  findings: string[];
  patrons: string[];
  acts: CaseAct[];
  /** What the room disposed of under this number. */
  incidents: Incident[];
}

const merged = (a: string[], b: string[]): string[] => [...new Set([...a, ...b])];

/** Cases as their acts have made them, and as dispositions name them. */
export function casesOf(acts: CaseAct[], incidents: Incident[]): Map<string, Case> {
  const cases = new Map<string, Case>();
  const of = (number: string): Case => {
    const known = cases.get(number) ?? { number, closed: false, held: null, rounds: [], findings: [], patrons: [], acts: [], incidents: [] };
    cases.set(number, known);
    return known;
  };
  for (const act of acts) {
    if (act.case === null) continue;
    const one = of(act.case);
    if (act.action === 'open') one.closed = false;
    if (act.action === 'close') one.closed = true;
    if (act.action === 'hold') one.held = { since: act.at, authority: act.authority ?? 'not told' };
    if (act.action === 'release') one.held = null;
    one.rounds = merged(one.rounds, act.rounds);
    one.findings = merged(one.findings, act.findings);
    one.patrons = merged(one.patrons, act.patrons);
    one.acts.push(act);
  }
  for (const incident of incidents) if (incident.disposal?.case) of(incident.disposal.case).incidents.push(incident);
  return cases;
}

const stateOf = (one: Case): string => (one.held ? 'held' : one.closed ? 'closed' : one.acts.length > 0 ? 'open' : 'a number of the room’s');

/** All acts about cases; on the log their times are microseconds. */
async function allActs(): Promise<CaseAct[]> {
  const { acts } = await get<{ acts: (Omit<CaseAct, 'at'> & { at: number })[] }>('/cases');
  return acts.map((act) => ({ ...act, at: new Date(act.at / 1_000).toISOString() }));
}

async function read(): Promise<{ cases: Map<string, Case>; more: boolean }> {
  const [told, desk] = await Promise.all([
    mayReadCases() ? allActs() : [],
    get<{ incidents: Incident[]; more: boolean }>('/incidents?status=all&limit=20000'),
  ]);
  return { cases: casesOf(told, desk.incidents), more: desk.more };
}

export function Cases({ id }: { id: string }) {
  const [found, again] = useLoaded('cases', read);
  const [asked, setAsked] = useState<{ action: Action; number: string } | null>(null);
  useKeys('cases', mayActOnCases() ? [{ keys: ['w'], does: id === '' ? 'Open a case' : 'Add to this case', group: 'Cases', run: () => setAsked(id === '' ? { action: 'open', number: '' } : { action: 'add', number: id }) }] : []);
  const done = (number: string) => {
    setAsked(null);
    go(`/cases/${encodeURIComponent(number)}`);
    again();
  };
  return (
    <div class="page">
      <Head title={id === '' ? 'Cases' : `Case ${id}`}>
        <p class="sub">
          {id === '' ? 'What investigators opened, and what the room disposed of under a case’s number.' : <a href="/cases">All cases</a>}
        </p>
      </Head>
      {id === '' && mayActOnCases() && <p><button class="main" onClick={() => setAsked({ action: 'open', number: '' })}>Open a case</button></p>}
      {!mayReadCases() && <p class="faint">Acts and holds of a case are for its investigators. What the room disposed of under its number is here.</p>}
      <Await of={found} again={again}>{({ cases, more }) => (
        <>
          {more && <p class="wrong">There are more incidents than a page can take: this may not be all.</p>}
          {id === '' ? <List of={[...cases.values()]} /> : <One of={cases.get(id)} id={id} onAsk={(action) => setAsked({ action, number: id })} />}
        </>
      )}</Await>
      {asked !== null && <Act action={asked.action} number={asked.number} onClose={() => setAsked(null)} onDone={done} />}
    </div>
  );
}

function List({ of }: { of: Case[] }) {
  if (of.length === 0) return <Empty title="There is no case yet.">A case is opened here, or by <code>catwalk case open</code>. An incident enters one when it is disposed of with the case’s number.</Empty>;
  const lost = (one: Case) => one.incidents.reduce((total, incident) => total + incident.exposure_cents, 0);
  const last = (one: Case) => [...one.acts.map((act) => act.at), ...one.incidents.map((incident) => incident.last)].sort().at(-1);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Cases">
      <table class="list">
        <thead><tr><th>Case</th><th>State</th><th>Last</th><th class="r">Rounds</th><th class="r">Findings</th><th class="r">Patrons</th><th class="r">Incidents</th><th class="r">Lost</th></tr></thead>
        <tbody>{of.sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true })).map((one) => (
          <tr key={one.number} data-case={one.number}>
            <td><a href={`/cases/${encodeURIComponent(one.number)}`}><b>{one.number}</b></a></td><td class={one.held ? 'held-case' : one.closed ? 'faint' : ''}>{stateOf(one)}</td><td><Brief at={last(one)} /></td>
            <td class="r num">{count(one.rounds.length)}</td><td class="r num">{count(one.findings.length)}</td><td class="r num">{count(one.patrons.length)}</td>
            <td class="r num">{count(one.incidents.length)}</td><td class="r"><Loss cents={lost(one)} /></td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  );
}

function One({ of, id, onAsk }: { of: Case | undefined; id: string; onAsk: (action: Action) => void }) {
  if (of === undefined) return <Empty title={`There is no case “${id}”.`}>What was disposed of long ago is in the archive, and not on this page.</Empty>;
  const deeds: [Action, string, boolean][] = [
    ['open', of.acts.length === 0 ? 'Open it as a case' : 'Open again', of.acts.length === 0 || of.closed], ['add', 'Add', of.acts.length > 0 && !of.closed],
    ['hold', 'Hold', of.acts.length > 0 && !of.closed && !of.held], ['release', 'Release', of.held !== null], ['close', 'Close', of.acts.length > 0 && !of.closed && !of.held],
  ];
  return (
    <>
      {of.held && <p class="held-case" data-held>Held since <Brief at={of.held.since} />, by {of.held.authority}: nothing that it names goes away.</p>}
      {mayActOnCases() && (
        <p class="deeds">
          {deeds.filter(([, , may]) => may).map(([action, name]) => <button key={action} class={action === 'add' ? 'main' : ''} onClick={() => onAsk(action)}>{name}</button>)}
          {wantsCase(session.value) && of.acts.length > 0 && !of.closed && underCase.value !== id && <button onClick={() => lookUnder(id, session.value?.user.id ?? '')}>Look under this case</button>}
        </p>
      )}
      <dl class="facts">
        <dt>State</dt><dd>{stateOf(of)}</dd>
        <dt>Rounds</dt><dd>{of.rounds.length === 0 ? 'none' : of.rounds.map((round, index) => <>{index > 0 && ', '}<RoundLink id={round} /></>)}</dd>
        <dt>Findings</dt><dd>{of.findings.length === 0 ? 'none' : of.findings.join(', ')}</dd>
        <dt>Patrons</dt><dd>{of.patrons.length === 0 ? 'none' : of.patrons.map((patron, index) => <>{index > 0 && ', '}<a href={`/people/patron/${encodeURIComponent(patron)}`}>{patron}</a></>)}</dd>
        {of.incidents.length > 0 && <><dt>Incidents</dt><dd>{count(of.incidents.length)}; {dollars(of.incidents.reduce((total, one) => total + (one.disposal?.recovered_cents ?? 0), 0))} recovered</dd></>}
        <dt>Evidence</dt><dd>{of.rounds.length === 0 ? <span class="faint">of a round: <code>catwalk evidence ROUND --case {id} -o FILE.zip</code></span> : of.rounds.slice(0, 5).map((round) => <code key={round} class="command">catwalk evidence {round} --case {id} -o {round}.zip</code>)}</dd>
      </dl>
      <Timeline of={of} />
    </>
  );
}

/** What was done about it and what it is about, in the order of time. */
function Timeline({ of }: { of: Case }) {
  const acts = of.acts.map((act) => ({ at: act.at, key: act.id, shown: <ActOf act={act} /> }));
  const incidents = of.incidents.map((one) => ({ at: one.began, key: one.id, shown: <IncidentOf one={one} /> }));
  const all = [...acts, ...incidents].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <section class="part">
      <h2>In the order of time</h2>
      <ol class="timeline">{all.map(({ at, key, shown }) => <li key={key}><time class="num">{moment(at)}</time> {shown}</li>)}</ol>
    </section>
  );
}

function ActOf({ act }: { act: CaseAct }) {
  const named: [string, string[]][] = [['rounds', act.rounds], ['findings', act.findings], ['patrons', act.patrons]];
  const DONE: Record<CaseAct['action'], string> = { open: 'opened', add: 'added to', hold: 'held', release: 'released', close: 'closed', evidence: 'evidence handed out', erase: 'rows erased' };
  return (
    <span data-act={act.action}>
      <b>{DONE[act.action] ?? words(act.action)}</b> by {act.operator}{act.role && <span class="faint"> ({words(act.role)})</span>}
      {act.authority && <>, authority: {act.authority}</>}
      {named.filter(([, list]) => list.length > 0).map(([name, list]) => <span key={name} class="faint"> · {name} {list.join(', ')}</span>)}
      {act.note && <span class="faint"> · “{act.note}”</span>}
    </span>
  );
}

function IncidentOf({ one }: { one: Incident }) {
  return (
    <>
      <Badge priority={one.priority} /> <b>{one.table}</b> <a href={`/queue/${one.id}`}>{one.headline}</a>{' '}
      {one.round && <RoundLink id={one.round} />}{' '}
      <span class="faint">{words(one.disposal?.verdict ?? '')}{one.disposal?.reviewer && ` · with ${one.disposal.reviewer}`}</span> <Loss cents={one.exposure_cents} />
    </>
  );
}

// ---- Acts -----------------------------------------------------------------------------------------------

export type Action = 'open' | 'add' | 'hold' | 'release' | 'close';
const TITLES: Record<Action, string> = { open: 'Open a case', add: 'Add to a case', hold: 'Hold a case', release: 'Release a case', close: 'Close a case' };
const SAID: Record<Action, string> = {
  open: '', add: '', close: 'Nothing can be added until it is opened again.',
  hold: 'Nothing that it names, now or later, goes away until it is released.', release: 'What it names may go away again, as the house’s retention says.',
};

export interface Named { rounds: string[]; findings: string[]; patrons: string[] }

/** One act about a case, with what it names. */
export function Act({ action, number, typed: first = number, named, onClose, onDone }: {
  action: Action; number: string; typed?: string; named?: Named; onClose: () => void; onDone: (number: string) => void;
}) {
  const [why, setWhy] = useState('');
  const [busy, setBusy] = useState(false);
  // One id for this form: whatever is sent twice counts once.
  const [id] = useState(newId);
  const [typed, setTyped] = useState(first);
  const asks = number === '' || named !== undefined;
  // Whoever has something to put into a case need not know whether it is open already.
  const [known] = useLoaded(named === undefined ? null : 'open cases', () => allActs().then((acts) => [...casesOf(acts, []).values()].filter((one) => !one.closed).map((one) => one.number)));
  const open = known.state === 'there' ? known.value : [];
  const does: Action = named === undefined ? action : open.includes(typed.trim()) ? 'add' : 'open';
  const fills = action === 'open' || action === 'add';
  const needs = action === 'hold' || action === 'release';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const list = (name: string) => text(name).split(/[\s,]+/).filter((one) => one !== '');
    const of = asks ? text('case') : number;
    setBusy(true);
    try {
      await post('/cases', {
        id, case: of, action: does, at: Math.round(now() * 1_000), operator: session.value?.user.id ?? '', authority: text('authority') || null, note: text('note') || null,
        rounds: fills ? list('rounds') : [], findings: fills ? list('findings') : [], patrons: fills ? list('patrons') : [],
      });
      onDone(of);
    } catch (error) {
      setWhy(told(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={asks ? TITLES[action] : `${TITLES[action].replace(/ (a|to a) case/, '')} · case ${number}`} onClose={onClose}>
      <form class="write" onSubmit={submit}>
        {SAID[action] !== '' && <p class="whole">{SAID[action]}</p>}
        {asks && <label class="whole">Number of the case<input name="case" required autoComplete="off" data-first value={typed} maxLength={200} list="open-cases" onInput={(event) => setTyped(event.currentTarget.value)} /></label>}
        <datalist id="open-cases">{open.map((one) => <option key={one} value={one} />)}</datalist>
        {named !== undefined && typed.trim() !== '' && does === 'open' && known.state === 'there' && <p class="whole faint">No case of this number is open: this opens it.</p>}
        {fills && <label class="whole">Rounds<textarea name="rounds" rows={2} defaultValue={named?.rounds.join(' ')} data-first={asks ? undefined : ''} /></label>}
        {fills && <label class="whole">Findings<textarea name="findings" rows={2} defaultValue={named?.findings.join(' ')} /></label>}
        {fills && <label class="whole">Patrons<input name="patrons" autoComplete="off" defaultValue={named?.patrons.join(' ')} /></label>}
        <label class="whole">Authority{needs ? '' : ', if any'}<input name="authority" required={needs} autoComplete="off" placeholder="subpoena 26-0031" data-first={fills ? undefined : ''} maxLength={500} /></label>
        <label class="whole">Note<textarea name="note" rows={2} maxLength={2000} /></label>
        {why && <p class="wrong whole" role="alert">Not done: {why}</p>}
        <div class="whole buttons"><button type="button" onClick={onClose}>Cancel</button><button class="main" disabled={busy || (named !== undefined && known.state === 'loading')}>{TITLES[action].replace(/ (a|to a) case/, '')}</button></div>
      </form>
    </Dialog>
  );
}

/** A case to look under: one that is open, or a new one. */
export function Choose({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [opening, setOpening] = useState(false);
  const [found, again] = useLoaded('cases to look under', () => allActs().then((acts) => [...casesOf(acts, []).values()].filter((one) => !one.closed)));
  const wanted = typed.trim();
  const open = found.state === 'there' ? found.value : [];
  const shown = open.filter((one) => `${one.number} ${firstNote(one)}`.toLowerCase().includes(wanted.toLowerCase()));
  // Whoever may not read all cases may still know the number of theirs: the archive says whether it is open.
  const meant = found.state === 'failed' ? wanted : (open.find((one) => one.number === wanted) ?? (shown.length === 1 ? shown[0] : undefined))?.number ?? '';
  const choose = (number: string) => {
    lookUnder(number, session.value?.user.id ?? '');
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (meant !== '') choose(meant);
  };
  if (opening) return <Act action="open" number="" typed={wanted} onClose={() => setOpening(false)} onDone={choose} />;
  return (
    <Dialog title="Look under a case" onClose={onClose}>
      <div class="choose">
        <p>Under a case that is open patrons have their ids, and each question goes on record with its number. It holds in this tab until you leave it or sign out.</p>
        <form class="pick" onSubmit={submit}>
          <label>Number of the case<input name="under" autoComplete="off" data-first value={typed} maxLength={200} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
          <button class="main" disabled={meant === ''}>Look under it</button>
          {mayActOnCases() && <button type="button" onClick={() => setOpening(true)}>Open a new one</button>}
        </form>
        <Await of={found} again={again}>{() => (shown.length === 0 ? <p class="faint">{open.length === 0 ? 'No case is open.' : 'No open case is called so.'}</p> : (
          <ul class="cases-open" tabIndex={0} aria-label="Open cases">{shown.map((one) => (
            <li key={one.number}>
              <button type="button" onClick={() => choose(one.number)} data-choose={one.number} aria-current={one.number === underCase.value ? 'true' : undefined}><b>{one.number}</b> <span class="faint">{firstNote(one)}</span></button>
              <small class="faint"><Brief at={one.acts[0]?.at} /> by {one.acts[0]?.operator}</small>
            </li>
          ))}</ul>
        ))}</Await>
        {underCase.value !== '' && <p class="buttons"><button onClick={() => choose('')}>Leave case {underCase.value}</button></p>}
      </div>
    </Dialog>
  );
}

const firstNote = (one: Case): string => one.acts.find((act) => act.note)?.note ?? '';
