// What people do about incidents: shown at once, and taken back with its reason when the server refuses it.
import { signal } from '@preact/signals';

import { post, Refused, session, told } from './api';
import { incidents, take } from './live';
import type { Disposal, Incident } from './types';

export type DeedName = 'claim' | 'release' | 'acknowledge' | 'assign' | 'escalate' | 'dispose' | 'note' | 'undo' | 'hand_over';

export interface Deed {
  deed: DeedName;
  note?: string;
  to?: string;
  /** The act that is taken back. */
  undoes?: string;
  disposal?: Disposal;
}

export interface Failure {
  deed: DeedName;
  why: string;
}

/** Acts that the server has not answered yet, by incident. */
export const pending = signal<Map<string, Deed>>(new Map());
/** Acts that it refused, by incident, until somebody has seen it. */
export const failures = signal<Map<string, Failure>>(new Map());
export const notice = signal<string>('');

interface Done {
  act: string;
  incident: string;
  deed: DeedName;
}

const key = () => `catwalk.done.${session.value?.user.id ?? ''}`;

/** What this person did, the latest last; kept so that it can be undone after a reload. */
export function done(): Done[] {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? '[]') as Done[];
  } catch {
    return [];
  }
}

function remember(list: Done[]): void {
  localStorage.setItem(key(), JSON.stringify(list.slice(-50)));
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function set<T>(of: { value: Map<string, T> }, id: string, value: T | null): void {
  const next = new Map(of.value);
  if (value === null) next.delete(id);
  else next.set(id, value);
  of.value = next;
}

function body(incident: Incident, deed: Deed, id: string) {
  return { id, ...deed, seen_acts: incident.acts, seen_findings: incident.count };
}

/** Does one thing about one incident. True when the server took it. */
export async function act(incident: Incident, deed: Deed): Promise<boolean> {
  const id = newId();
  set(failures, incident.id, null);
  set(pending, incident.id, deed);
  try {
    const answer = await post<{ act: { id: string }; incident: Incident }>(`/incidents/${encodeURIComponent(incident.id)}/acts`, body(incident, deed, id));
    take(answer.incident);
    const list = done();
    if (deed.deed === 'undo') remember(list.filter((entry) => entry.act !== deed.undoes));
    else remember([...list, { act: answer.act?.id ?? id, incident: incident.id, deed: deed.deed }]);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.body?.incident) take(error.body.incident);
    set(failures, incident.id, { deed: deed.deed, why: told(error) });
    return false;
  } finally {
    set(pending, incident.id, null);
  }
}

/** The server takes so many at a time. */
const AT_ONCE = 200;

/** The same for several, in one request; each that is refused says so on its row. */
export async function actOnAll(chosen: Incident[], deed: Deed): Promise<void> {
  const ids = new Map(chosen.map((incident) => [incident.id, newId()]));
  const next = new Map(pending.value);
  const clear = new Map(failures.value);
  for (const incident of chosen) {
    next.set(incident.id, deed);
    clear.delete(incident.id);
  }
  pending.value = next;
  failures.value = clear;
  const failed = new Map<string, Failure>();
  const list = done();
  const answered = new Set<string>();
  try {
    const acts = chosen.map((incident) => ({ incident: incident.id, ...body(incident, deed, ids.get(incident.id) ?? '') }));
    const results: { incident: string | Incident; ok: boolean; error?: string }[] = [];
    for (let from = 0; from < acts.length; from += AT_ONCE) {
      const part = await post<{ results: typeof results }>('/acts', { acts: acts.slice(from, from + AT_ONCE) });
      results.push(...part.results);
    }
    for (const result of results) {
      const id = typeof result.incident === 'string' ? result.incident : result.incident.id;
      answered.add(id);
      if (result.ok) list.push({ act: ids.get(id) ?? '', incident: id, deed: deed.deed });
      else failed.set(id, { deed: deed.deed, why: result.error ?? 'refused' });
    }
    for (const id of ids.keys()) if (!answered.has(id)) failed.set(id, { deed: deed.deed, why: 'the server did not say what became of it' });
  } catch (error) {
    for (const incident of chosen) if (!answered.has(incident.id)) failed.set(incident.id, { deed: deed.deed, why: told(error) });
  }
  remember(list);
  const left = new Map(pending.value);
  for (const incident of chosen) left.delete(incident.id);
  pending.value = left;
  failures.value = new Map([...failures.value, ...failed]);
  if (failed.size > 0) {
    const names = [...failed.keys()].map((id) => incidents.get(id)?.table ?? id);
    notice.value = `${failed.size} of ${chosen.length} refused: ${names.join(', ')}`;
  } else {
    notice.value = `${chosen.length} done`;
  }
}

export const forgive = (id: string) => set(failures, id, null);

/** How an incident looks while an act is under way. */
export function foreseen(incident: Incident): Incident {
  const deed = pending.value.get(incident.id);
  if (deed === undefined) return incident;
  const me = session.value?.user.id ?? '';
  const at = new Date().toISOString();
  switch (deed.deed) {
    case 'claim':
      return { ...incident, held: incident.held ?? { by: me, since: at }, acknowledged: incident.acknowledged ?? at };
    case 'release':
      return { ...incident, held: null };
    case 'acknowledge':
      return { ...incident, acknowledged: incident.acknowledged ?? at };
    case 'assign':
    case 'hand_over':
      return { ...incident, held: { by: deed.to ?? '', since: at } };
    case 'dispose':
      return { ...incident, status: 'disposed', acknowledged: incident.acknowledged ?? at };
    default:
      return incident;
  }
}
