// The room's daily log: numbered entries that nobody edits.
import { useState } from 'preact/hooks';

import { get, post, query, session, told } from '../base/api';
import { newId } from '../base/acts';
import { useKeys, useLoaded } from '../base/hooks';
import { floorVersion, logVersion, tables } from '../base/live';
import { count, words } from '../base/money';
import { params, put } from '../base/router';
import { fromHouse, zone } from '../base/time';
import type { Entry } from '../base/types';
import { Await, Brief, Empty, Head, Kbd } from '../parts/bits';
import { Dialog } from '../parts/dialog';

const WRITERS = ['surveillance', 'surveillance_supervisor', 'surveillance_director'];
const KINDS: Record<string, string> = {
  observation: 'Seen', watched: 'Fill, drop or count watched', camera_outage: 'Camera out', notification: 'Somebody outside was told', correction: 'Correction', hand_over: 'Hand-over', take_over: 'Taken over',
};
const FIELDS = ['from', 'until', 'kind', 'q'] as const;

export const mayWrite = (): boolean => session.value?.user.roles.some((role) => WRITERS.includes(role)) ?? false;

export function Log() {
  const at = params.value;
  const [writing, setWriting] = useState<Entry | 'new' | null>(null);
  const wanted = Object.fromEntries(FIELDS.map((name) => [name, at.get(name) ?? '']));
  const path = `/log${query({ ...wanted, from: fromHouse(wanted.from ?? ''), until: fromHouse(wanted.until ?? ''), limit: 1000 })}`;
  const [loaded, again] = useLoaded(`${path} ${logVersion.value}`, () => get<{ entries: Entry[]; more: boolean }>(path));
  useKeys('log', mayWrite() ? [{ keys: ['w'], does: 'Write an entry', group: 'Log', run: () => setWriting('new') }] : []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    put(Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '').trim()])), false);
  };
  return (
    <div class="page">
      <Head title="Log"><p class="sub">Numbered by itself, edited by nobody: a correction is another entry. Times are the house’s ({zone.value}).</p></Head>
      <form class="asks" onSubmit={submit} key={at.toString()}>
        <label>From<input name="from" type="datetime-local" step="1" defaultValue={wanted.from} /></label>
        <label>Until<input name="until" type="datetime-local" step="1" defaultValue={wanted.until} /></label>
        <label>Kind<select name="kind" value={wanted.kind}><option value="">all</option>{Object.entries(KINDS).map(([kind, name]) => <option key={kind} value={kind}>{name}</option>)}</select></label>
        <label>Words<input name="q" type="search" defaultValue={wanted.q} autoComplete="off" /></label>
        <button>Look up</button>
        {mayWrite() && <button type="button" class="main" onClick={() => setWriting('new')}>Write an entry</button>}
        <a href={`/api/v1${path}&format=html`} target="_blank" rel="noreferrer">Print</a>
      </form>
      <Await of={loaded} again={again}>
        {({ entries, more }) => entries.length === 0 ? Object.values(wanted).every((value) => value === '') ? <Empty title="Nobody has written anything yet.">{mayWrite() ? <>Press <Kbd>w</Kbd> to write the first entry.</> : ''}</Empty> : <Empty title="No entry is as you ask.">Ask for more.</Empty> : (
          <>
            <p class="faint">{count(entries.length)} entries{more && ', and there are older ones: ask for less'}</p>
            <Entries of={entries} onCorrect={mayWrite() ? setWriting : undefined} />
          </>
        )}
      </Await>
      {writing !== null && <Write corrects={writing === 'new' ? null : writing} onClose={() => setWriting(null)} />}
    </div>
  );
}

export function Entries({ of, onCorrect }: { of: Entry[]; onCorrect?: (entry: Entry) => void }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Entries">
      <table class="list">
        <thead><tr><th class="r">No.</th><th>Written</th><th>By</th><th>Kind</th><th>Where</th><th>What</th>{onCorrect && <th><span class="sr">Correct</span></th>}</tr></thead>
        <tbody>
          {of.map((entry) => (
            <tr key={`${entry.property} ${entry.number}`} data-entry={entry.number}>
              <td class="r num" title={entry.property}>{entry.number}</td><td><Brief at={entry.at} /></td><td>{entry.by.id}</td>
              <td>{KINDS[entry.kind] ?? words(entry.kind)}{entry.refers_to ? <span class="faint"> of no. {entry.refers_to}</span> : ''}{entry.to && <> to <b>{entry.to}</b></>}</td>
              <td class="tight">{entry.table ?? entry.place ?? '–'}</td>
              <td class="entry-said">{entry.summary}<Rest of={entry} /></td>
              {onCorrect && <td><button class="plain" onClick={() => onCorrect(entry)}>Correct</button></td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rest({ of }: { of: Entry }) {
  const said: [string, string | undefined][] = [
    ['persons', of.persons.join(', ')], ['initiator', of.initiator], ['reason', of.reason], ['violation', of.violation], ['outcome', of.outcome],
  ];
  const known = said.filter(([, value]) => value);
  if (known.length === 0 && !of.recording_from) return null;
  return (
    <small class="faint rest">
      {known.map(([name, value]) => `${name}: ${value}`).join(' · ')}
      {of.recording_from && <>{known.length > 0 && ' · '}recording: <Brief at={of.recording_from} />{of.recording_until && <> to <Brief at={of.recording_until} /></>}</>}
    </small>
  );
}

const WRITTEN = ['summary', 'kind', 'property', 'table', 'place', 'initiator', 'reason', 'violation', 'outcome'] as const;

export interface Preset { kind: string; table: string; property: string; summary: string; violation?: string }

export function Write({ corrects, onClose, preset }: { corrects: Entry | null; onClose: () => void; preset?: Preset }) {
  void floorVersion.value;
  const [why, setWhy] = useState('');
  const [busy, setBusy] = useState(false);
  // One id for this form: whatever is sent twice stands there once.
  const [id] = useState(newId);
  const known = [...tables.values()];
  const properties = [...new Set(known.map((table) => table.property))];
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? '').trim() || undefined;
    const entry = {
      id,
      ...Object.fromEntries(WRITTEN.map((name) => [name, text(name)])),
      persons: (text('persons') ?? '').split(',').map((one) => one.trim()).filter((one) => one !== ''),
      recording_from: fromHouse(text('recording_from') ?? '') ?? undefined,
      recording_until: fromHouse(text('recording_until') ?? '') ?? undefined,
      ...(corrects === null ? {} : { kind: 'correction', refers_to: corrects.number, property: corrects.property }),
    };
    setBusy(true);
    try {
      await post('/log', entry);
      logVersion.value += 1;
      onClose();
    } catch (error) {
      setWhy(told(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={corrects === null ? 'Write an entry' : `Correct no. ${corrects.number}`} onClose={onClose} wide>
      <form class="write" onSubmit={submit}>
        {corrects !== null && <blockquote>{corrects.summary}</blockquote>}
        <label class="whole">What<textarea name="summary" rows={4} maxLength={2000} required data-first defaultValue={preset?.summary} /></label>
        {corrects === null && <label>Kind<select name="kind">{['observation', 'watched', 'camera_outage', 'notification'].map((kind) => <option key={kind} value={kind} selected={kind === (preset?.kind ?? 'observation')}>{KINDS[kind]}</option>)}</select></label>}
        {corrects === null && properties.length > 1 && <label>Property<select name="property">{properties.map((one) => <option key={one} selected={one === preset?.property}>{one}</option>)}</select></label>}
        <label>Table<input name="table" list="log-tables" autoComplete="off" defaultValue={corrects?.table ?? preset?.table} /></label>
        <datalist id="log-tables">{known.map((table) => <option key={`${table.property} ${table.table}`} value={table.table} />)}</datalist>
        <label>Place<input name="place" autoComplete="off" defaultValue={corrects?.place} /></label>
        <label>Persons, with commas<input name="persons" autoComplete="off" /></label>
        <label>Initiator<input name="initiator" autoComplete="off" /></label>
        <label>Reason<input name="reason" autoComplete="off" /></label>
        <label>Violation<input name="violation" autoComplete="off" defaultValue={preset?.violation} /></label>
        <label>Recording from<input name="recording_from" type="datetime-local" step="1" /></label>
        <label>Recording until<input name="recording_until" type="datetime-local" step="1" /></label>
        <label class="whole">Outcome<input name="outcome" autoComplete="off" /></label>
        {why && <p class="wrong whole" role="alert">Not written: {why}</p>}
        <div class="whole buttons"><button type="button" onClick={onClose}>Cancel</button><button class="main" disabled={busy}>Write it</button></div>
      </form>
    </Dialog>
  );
}
