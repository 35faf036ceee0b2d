// What the stream brings to this tab, applied once a frame.
import { batch as together, computed, signal } from '@preact/signals';

import { session } from './api';
import { type Batch, Feed, type Link } from './feed';
import * as sound from './sound';
import { hear, now, span, tick } from './time';
import type { FloorTable, Incident, Priority } from './types';

declare const WORKER: string;

export const incidents = new Map<string, Incident>();
export const tables = new Map<string, FloorTable>();
/** Rises with every change of what the maps hold. */
export const version = signal(0);
export const floorVersion = signal(0);
/** Incidents whose findings or acts changed, with how often. */
export const touched = signal(new Map<string, number>());
/** Rises with what comes to the room's log. */
export const logVersion = signal(0);
export const link = signal<Omit<Link, 'heardAt'>>({
  server: 'opening', log: { ok: true, behind: 0 }, at: null, head: 0, offset: 0, repairs: 0, left_out: false, why: '',
});
export const hasSnapshot = signal(false);
/** Parts of the snapshot are still to come. */
export const isArriving = signal(false);
/** All incidents that ever came to this tab while it was open, counted: for tests and the health page. */
export const heardIncidents = signal(0);

let port: { postMessage(message: unknown): void } | null = null;
const queued: Batch[] = [];
/** The ids of a snapshot that is arriving. */
let snapshot: Set<string> | null = null;
let scheduled = false;
let lostAt: number | null = null;
/** When this tab last heard of the stream, whatever it was. */
let heardAt = 0;
let suspected = 0;
/** How many workers have died under this tab. */
let turn = 0;
let watching: ReturnType<typeof setInterval> | undefined;
/** The worker says something each second: a tab that hears nothing of it for so long is not live. */
const UNHEARD_MS = 3_000;

/** Begins to hear; again after somebody else signed in. */
export function listen(): void {
  if (port !== null) return;
  const take = (message: any) => {
    heardAt = performance.now();
    suspected = 0;
    switch (message.type) {
      case 'batch':
        queued.push(message.batch);
        schedule();
        break;
      case 'link':
        linked(message.link);
        break;
      case 'ring':
        // Another tab was asked when this one did not answer in time.
        if (message.until !== undefined && Date.now() > message.until) break;
        port?.postMessage({ type: 'rang', id: message.id });
        sound.ring(message.id, message.priority);
        break;
      case 'hush':
        sound.hush(message.id);
        break;
      case 'signed out':
        port = null;
        session.value = null;
        break;
    }
  };
  if (typeof SharedWorker === 'undefined') {
    const feed = new Feed({
      batch: (batch) => take({ type: 'batch', batch }),
      link: (link) => take({ type: 'link', link }),
      ring: (incident) => take({ type: 'ring', id: incident.id, priority: incident.priority }),
      hush: (id) => take({ type: 'hush', id }),
      signedOut: () => take({ type: 'signed out' }),
    });
    port = {
      postMessage: (message: any) => {
        if (message.type === 'take') feed.take(message.incident);
        if (message.type === 'end') feed.stop();
      },
    };
    return;
  }
  work(take);
  clearInterval(watching);
  watching = setInterval(() => watch(take), 500);
}

function work(take: (message: any) => void): void {
  port?.postMessage({ type: 'end' });
  // By another name, since the dead one may still answer to its own.
  const worker = new SharedWorker(WORKER, { name: turn === 0 ? 'catwalk' : `catwalk ${turn}` });
  worker.port.onmessage = ({ data }) => {
    if (port === worker.port) take(data);
  };
  port = worker.port;
  begin();
}

function begin(): void {
  heardAt = performance.now();
  port?.postMessage({ type: 'begin' });
  port?.postMessage({ type: 'audio', on: sound.state.peek() === 'on' });
}

/** A worker that has died says nothing of it: this tab must notice, say so, and ask for another. */
function watch(take: (message: any) => void): void {
  if (port === null || performance.now() - heardAt < UNHEARD_MS) return;
  linked({ ...link.peek(), server: 'lost', why: 'this tab hears nothing of the stream' });
  suspected += 1;
  if (suspected % 2 === 1) begin();
  else {
    turn += 1;
    work(take);
  }
}

export function stopListening(): void {
  port?.postMessage({ type: 'end', all: true });
  port = null;
  together(() => {
    incidents.clear();
    tables.clear();
    hasSnapshot.value = false;
    version.value += 1;
    floorVersion.value += 1;
  });
}

addEventListener('pagehide', () => port?.postMessage({ type: 'end' }));
addEventListener('pageshow', (event) => event.persisted && begin());
addEventListener('focus', () => port?.postMessage({ type: 'seen' }));
sound.state.subscribe((state) => port?.postMessage({ type: 'audio', on: state === 'on' }));

/** What the server answered to an act, for all tabs, ahead of the stream. */
export function take(incident: Incident): void {
  queued.push({ whole: false, incidents: [incident], tables: [], touched: [incident.id] });
  schedule();
  port?.postMessage({ type: 'take', incident });
}

/** Once a frame; a tab that nobody sees has no frames. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  if (document.hidden) setTimeout(apply, 100);
  else requestAnimationFrame(apply);
}

function apply(): void {
  scheduled = false;
  const batches = queued.splice(0);
  let floor = false;
  let came = 0;
  const newly = new Set<string>();
  for (const batch of batches) {
    if (batch.whole) {
      snapshot = new Set();
      tables.clear();
      floor = true;
    }
    for (const incident of batch.incidents) {
      snapshot?.add(incident.id);
      const known = incidents.get(incident.id);
      if (known !== undefined && known.revision > incident.revision) continue;
      incidents.set(incident.id, incident);
      came += 1;
      newly.add(incident.id);
    }
    for (const table of batch.tables) {
      tables.set(`${table.property}/${table.table}`, { ...table, told: now() });
      floor = true;
    }
    if (batch.entries) logVersion.value += 1;
    for (const id of batch.touched) newly.add(id);
    if (batch.more !== false || snapshot === null) continue;
    // The snapshot is complete: what is not in it is open no more.
    for (const id of incidents.keys()) if (!snapshot.has(id)) incidents.delete(id);
    snapshot = null;
  }
  forgetClosed();
  together(() => {
    if (batches.some((batch) => batch.whole)) hasSnapshot.value = true;
    const part = batches.findLast((batch) => batch.more !== undefined);
    if (part !== undefined) isArriving.value = part.more === true;
    heardIncidents.value += came;
    version.value += 1;
    if (floor) floorVersion.value += 1;
    if (newly.size > 0) {
      const next = new Map(touched.value);
      for (const id of newly) next.set(id, (next.get(id) ?? 0) + 1);
      if (next.size > 2_000) for (const id of [...next.keys()].slice(0, 1_000)) next.delete(id);
      touched.value = next;
    }
  });
}

const KEPT_CLOSED = 500;

function forgetClosed(): void {
  let closed = 0;
  for (const incident of incidents.values()) if (incident.status !== 'open') closed += 1;
  if (closed <= KEPT_CLOSED * 2) return;
  for (const [id, incident] of incidents) {
    if (closed <= KEPT_CLOSED) break;
    if (incident.status === 'open') continue;
    incidents.delete(id);
    closed -= 1;
  }
}

function linked(next: Omit<Link, 'heardAt'>): void {
  if (next.at !== null && next.at !== link.peek().at) hear(next.at);
  if (next.server === 'live') lostAt = null;
  else if (lostAt === null) lostAt = performance.now();
  link.value = next;
}

/** For how many seconds a table has said nothing. */
export const silence = (table: FloorTable): number => (table.silence_seconds ?? 0) + Math.max(0, now() - (table.told ?? now())) / 1000;

export interface Trouble {
  level: 'lost' | 'stale';
  what: 'server' | 'log' | 'feed';
  text: string;
}

/** What is not as fresh as it looks: three things that fail apart from each other. */
export const troubles = computed<Trouble[]>(() => {
  void tick.value;
  const found: Trouble[] = [];
  const { server, log, why } = link.value;
  if (server === 'lost') {
    const since = lostAt === null ? 0 : (performance.now() - lostAt) / 1000;
    const what = why === '' ? 'no word from the server' : why;
    found.push({ level: 'lost', what: 'server', text: `Not live: ${what} for ${span(since + 2)}. What you see may be old.` });
  }
  if (server === 'live' && !log.ok) {
    found.push({ level: 'lost', what: 'log', text: 'Not live: the server does not hear the event log. Nothing new can arrive.' });
  } else if (server === 'live' && log.behind > 0) {
    found.push({ level: 'stale', what: 'log', text: 'Behind: the server has findings that it has not read yet.' });
  }
  if (link.value.left_out) found.push({ level: 'stale', what: 'log', text: 'There are more open incidents than a page can take: the most pressing are shown.' });
  void floorVersion.value;
  const silent = [...tables.values()].filter((table) => table.silent);
  if (silent.length > 0 && server !== 'lost') {
    const named = silent.slice(0, 4).map((table) => {
      return `${table.table} ${Math.floor(silence(table))} s`;
    });
    const more = silent.length > 4 ? ` and ${silent.length - 4} more` : '';
    found.push({ level: 'stale', what: 'feed', text: `Feed silent: ${named.join(', ')}${more}` });
  }
  return found;
});

/** How many incidents are open at each table, and the most pressing of them. */
export const openAt = computed(() => {
  void version.value;
  const open = new Map<string, { count: number; worst: Priority }>();
  for (const incident of incidents.values()) {
    if (incident.status !== 'open') continue;
    const key = `${incident.property}/${incident.table}`;
    const known = open.get(key);
    if (known === undefined) open.set(key, { count: 1, worst: incident.priority });
    else open.set(key, { count: known.count + 1, worst: Math.min(known.worst, incident.priority) as Priority });
  }
  return open;
});

export const silentTables = computed(() => {
  void floorVersion.value;
  return [...tables.values()].filter((table) => table.silent);
});

const urgent = computed(() => {
  void version.value;
  let found = 0;
  for (const incident of incidents.values())
    if (incident.status === 'open' && incident.priority === 1 && !incident.acknowledged) found += 1;
  return found;
});
export { urgent };

export const rangCount = (): number => [...sound.rang.value.values()].reduce((sum, times) => sum + times, 0);

// For tests, which wait until all that the server has said is here, and count what rang in each tab.
Object.assign(globalThis, {
  catwalkOffsets: () => [link.peek().head, link.peek().offset],
  catwalkRang: (id: string) => sound.rang.peek().get(id) ?? 0,
});
