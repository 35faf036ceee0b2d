// The stream of incidents and tables without a gap: a snapshot at an offset, then all that came after it. Runs in a
// worker that all tabs share, or in the page where a browser has no such worker.
import type { FloorTable, Incident } from './types';

export interface Link {
  /** Whether the browser hears the server. */
  server: 'opening' | 'live' | 'lost';
  /** Whether the server hears the log. */
  log: { ok: boolean; behind: number };
  /** The server's clock at the last heartbeat, and when that was on this machine's. */
  at: string | null;
  heardAt: number;
  head: number;
  offset: number;
  repairs: number;
  /** Open incidents that the snapshot left out, because there are too many. */
  left_out: boolean;
  why: string;
}

export interface Batch {
  /** All there is: what is not in it is open no more. */
  whole: boolean;
  /** More of the snapshot follows, less pressing than what is here. */
  more?: boolean;
  incidents: Incident[];
  tables: FloorTable[];
  /** Open incidents whose acts or findings changed. */
  touched: string[];
  /** Something came to the room's log. */
  entries?: boolean;
}

export interface Hearer {
  batch(batch: Batch): void;
  link(link: Link): void;
  /** An incident that nobody was told of yet. */
  ring(incident: Incident): void;
  /** Somebody took it up: it rings no more. */
  hush(id: string): void;
  signedOut(): void;
}

/** Heartbeats come each second: when one is missing for so long, the server is not heard. */
const SILENCE_MS = 1_800;
/** An EventSource that brings nothing for so long is made anew. */
const PATIENCE_MS = 5_000;
const KEPT_CLOSED = 500;
const RING_AGAIN_MS = 10_000;
const LOUD = 2;
const FIRST_PART = 150;
const PART = 1_500;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class Feed {
  readonly incidents = new Map<string, Incident>();
  readonly tables = new Map<string, FloorTable>();
  link: Link = { server: 'opening', log: { ok: true, behind: 0 }, at: null, heardAt: 0, head: 0, offset: 0, repairs: 0, left_out: false, why: '' };
  private source: EventSource | null = null;
  private generation = '';
  private lagging = 0;
  private reopened = false;
  private delay = 250;
  /** How many incidents this stream has brought, and the furthest offset among them. */
  private came = 0;
  private latest = 0;
  private stopped = false;
  private run = 0;
  private waiting: Batch = { whole: false, incidents: [], tables: [], touched: [] };
  private flushing = false;
  private readonly rung = new Map<string, number>();
  private hasSnapshot = false;
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(private readonly to: Hearer) {
    this.timer = setInterval(() => this.watch(), 200);
    void this.begin();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    this.source?.close();
  }

  /** All there is, the most pressing first, in parts: the first rows need not wait for the last. */
  tell(to: (batch: Batch) => void): void {
    const all = [...this.incidents.values()].sort((a, b) => a.priority - b.priority || (a.began < b.began ? -1 : 1));
    const tables = [...this.tables.values()];
    const run = this.run;
    const part = (from: number, size: number) => {
      if (run !== this.run) return;
      const end = from + size;
      to({ whole: from === 0, more: end < all.length, incidents: all.slice(from, end), tables: from === 0 ? tables : [], touched: [] });
      if (end < all.length) setTimeout(() => part(end, PART), 30);
    };
    part(0, FIRST_PART);
  }

  /** What an answer to an act says, ahead of the stream. */
  take(incident: Incident): void {
    if (this.keep(incident)) this.waiting.incidents.push(incident);
    this.flushSoon();
  }

  /** Fetches the snapshot and opens the stream behind it. */
  private async begin(): Promise<void> {
    const run = ++this.run;
    this.source?.close();
    this.source = null;
    while (!this.stopped && run === this.run) {
      try {
        const [desk, floor] = await Promise.all([
          this.fetch('/api/v1/incidents?status=open&limit=100000'),
          this.fetch('/api/v1/floor'),
        ]);
        if (run !== this.run) return;
        this.replace(desk, floor);
        this.open();
        return;
      } catch (error) {
        if (error instanceof SignedOut) {
          this.to.signedOut();
          this.stop();
          return;
        }
        this.say({ server: 'lost', why: error instanceof Error ? error.message : String(error) });
      }
      await wait(this.delay);
      this.delay = Math.min(this.delay * 2, 2_000);
    }
  }

  private async fetch(path: string): Promise<any> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE_MS * 2);
    try {
      const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', signal: stop.signal });
      if (response.status === 401) throw new SignedOut();
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return await response.json();
    } finally {
      clearTimeout(timer);
    }
  }

  private replace(desk: any, floor: any): void {
    if (!Array.isArray(desk?.incidents) || !Array.isArray(floor?.tables)) throw new Error('what the server answered does not read');
    const incidents: Incident[] = desk.incidents;
    const before = new Set(this.incidents.keys());
    const again = String(desk.generation ?? '') !== this.generation;
    this.generation = String(desk.generation ?? '');
    const kept = again ? new Map<string, Incident>() : new Map(this.incidents);
    this.incidents.clear();
    for (const incident of incidents) {
      const newer = kept.get(incident.id);
      this.incidents.set(incident.id, newer !== undefined && newer.revision > incident.revision ? newer : incident);
    }
    this.tables.clear();
    for (const table of floor.tables as FloorTable[]) this.tables.set(`${table.property}/${table.table}`, table);
    for (const incident of incidents) {
      // What was open before anybody looked has rung in the room; what came while nobody could hear has not.
      if (!this.hasSnapshot) this.rung.set(incident.id, Number.POSITIVE_INFINITY);
      else if (!before.has(incident.id)) this.due(incident);
    }
    for (const id of before) if (!this.incidents.has(id)) this.to.hush(id);
    this.hasSnapshot = true;
    this.waiting = { whole: false, incidents: [], tables: [], touched: [] };
    this.tell((batch) => this.to.batch(batch));
    const offset = Math.min(Number(desk.offset ?? 0), Number(floor.offset ?? desk.offset ?? 0));
    this.say({ offset, head: Math.max(offset, Number(desk.head ?? 0)), left_out: desk.more === true });
    this.lagging = 0;
    this.reopened = false;
  }

  private open(): void {
    this.source?.close();
    const source = new EventSource(`/api/v1/stream?after=${this.link.offset}&generation=${encodeURIComponent(this.generation)}`);
    this.source = source;
    this.came = 0;
    this.latest = this.link.offset;
    this.say({ heardAt: performance.now() });
    const on = (name: string, take: (data: any) => void) =>
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        const message = event as MessageEvent<string>;
        const offset = Number(message.lastEventId);
        // `pass` is an incident that this user may not see.
        if (name === 'incident' || name === 'pass') {
          this.came += 1;
          this.latest = Math.max(this.latest, offset);
        }
        take(JSON.parse(message.data));
      });
    on('heartbeat', (beat) => this.heartbeat(beat));
    on('incident', (incident: Incident) => {
      const known = this.incidents.get(incident.id);
      if (!this.keep(incident)) return;
      this.waiting.incidents.push(incident);
      const rises = known !== undefined && incident.priority < known.priority;
      // What it rang for, or somebody acknowledged, was less.
      if (rises && !incident.acknowledged) this.rung.delete(incident.id);
      if (known === undefined || rises) this.due(incident);
      if (incident.acknowledged || incident.status !== 'open') this.silence(incident.id);
      this.flushSoon();
    });
    on('act', (act) => this.touch(act.incident));
    on('finding', (finding) => this.touch(finding.incident ?? ''));
    on('entry', () => {
      this.waiting.entries = true;
      this.flushSoon();
    });
    on('floor', (floor) => {
      const tables: FloorTable[] = Array.isArray(floor) ? floor : (floor.tables ?? [floor]);
      for (const table of tables) {
        this.tables.set(`${table.property}/${table.table}`, table);
        this.waiting.tables.push(table);
      }
      this.flushSoon();
    });
    on('pass', () => undefined);
    on('reset', () => void this.begin());
    source.onerror = () => {
      if (source !== this.source) return;
      // A browser waits long before it tries again, and after an HTTP error it never does.
      source.close();
      this.say({ server: 'lost', why: 'the connection broke' });
      const run = this.run;
      setTimeout(() => {
        if (source === this.source && run === this.run && !this.stopped) void this.reconnect();
      }, this.delay);
      this.delay = Math.min(this.delay * 2, 2_000);
    };
  }

  /** Whether one is still signed in is known only by asking: an EventSource does not say why it failed. */
  private async reconnect(): Promise<void> {
    try {
      await this.fetch('/api/v1/session');
      this.open();
    } catch (error) {
      if (error instanceof SignedOut) {
        this.to.signedOut();
        this.stop();
        return;
      }
      this.open();
    }
  }

  private heartbeat(beat: { head?: number; told?: number; at: string; log?: { ok: boolean; behind?: number | boolean } }): void {
    this.delay = 250;
    const head = Number(beat.head ?? this.link.head);
    // An offset is reached when nothing before it is missing, whatever came after it.
    const whole = this.came >= (beat.told ?? 0);
    if (whole) this.link.offset = Math.max(this.link.offset, this.latest);
    this.say({
      server: 'live',
      why: '',
      at: beat.at,
      heardAt: performance.now(),
      head,
      log: { ok: beat.log?.ok ?? true, behind: Number(beat.log?.behind ?? 0) },
    });
    if (whole && head <= this.link.offset) {
      this.lagging = 0;
      this.reopened = false;
      return;
    }
    // The server has said more than came: a message is lost, unless it comes with the next beat.
    this.lagging += 1;
    if (this.lagging < 2) return;
    this.lagging = 0;
    this.link.repairs += 1;
    if (this.reopened) {
      void this.begin();
    } else {
      this.reopened = true;
      this.open();
    }
  }

  private watch(): void {
    const silent = performance.now() - this.link.heardAt;
    if (this.link.server === 'live' && silent > SILENCE_MS) this.say({ server: 'lost', why: 'no word from the server' });
    if (this.source !== null && this.hasSnapshot && silent > PATIENCE_MS) {
      this.say({ heardAt: performance.now(), server: 'lost', why: 'no word from the server' });
      this.open();
    }
    const now = performance.now();
    for (const [id, at] of this.rung) {
      if (at > now) continue;
      const incident = this.incidents.get(id);
      if (incident === undefined || incident.acknowledged || incident.status !== 'open') {
        this.rung.set(id, Number.POSITIVE_INFINITY);
      } else {
        this.to.ring(incident);
        this.rung.set(id, incident.priority === 1 ? now + this.untilLate(incident) : Number.POSITIVE_INFINITY);
      }
    }
  }

  private untilLate(incident: Incident): number {
    if (!incident.due_by) return Number.POSITIVE_INFINITY;
    return Math.max(RING_AGAIN_MS, Date.parse(incident.due_by) - this.clock());
  }

  private clock(): number {
    return this.link.at === null ? Date.now() : Date.parse(this.link.at) + performance.now() - this.link.heardAt;
  }

  private due(incident: Incident): void {
    if (incident.priority > LOUD || incident.status !== 'open' || incident.acknowledged || this.rung.has(incident.id)) return;
    const in_ms = Math.max(0, Date.parse(incident.rings_at) - this.clock());
    this.rung.set(incident.id, performance.now() + in_ms);
    if (in_ms === 0) this.watch();
  }

  private silence(id: string): void {
    this.rung.set(id, Number.POSITIVE_INFINITY);
    this.to.hush(id);
  }

  private keep(incident: Incident): boolean {
    const known = this.incidents.get(incident.id);
    if (known !== undefined && known.revision >= incident.revision) return false;
    this.incidents.delete(incident.id);
    this.incidents.set(incident.id, incident);
    if (incident.status !== 'open') this.prune();
    return true;
  }

  /** Forgets the oldest of the closed. */
  private prune(): void {
    let closed = 0;
    for (const incident of this.incidents.values()) if (incident.status !== 'open') closed += 1;
    if (closed <= KEPT_CLOSED * 2) return;
    for (const [id, incident] of this.incidents) {
      if (closed <= KEPT_CLOSED) break;
      if (incident.status === 'open') continue;
      this.incidents.delete(id);
      this.rung.delete(id);
      closed -= 1;
    }
  }

  private touch(id: string): void {
    if (id === '') return;
    this.waiting.touched.push(id);
    this.flushSoon();
  }

  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    setTimeout(() => {
      this.flushing = false;
      const batch = this.waiting;
      this.waiting = { whole: false, incidents: [], tables: [], touched: [] };
      const latest = new Map(batch.incidents.map((incident) => [incident.id, incident]));
      this.to.batch({ ...batch, incidents: [...latest.values()] });
    }, 16);
  }

  private say(change: Partial<Link>): void {
    this.link = { ...this.link, ...change };
    this.to.link(this.link);
  }
}

class SignedOut extends Error {}
