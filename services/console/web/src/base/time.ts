// Times are the house's, never the browser's: the zone comes with the session.
import { computed, signal } from '@preact/signals';

import { session } from './api';

export const zone = computed(() => session.value?.house.zone ?? 'UTC');

/** The server's clock, from its last heartbeat; the browser's clock only counts on from there. */
const heard = signal<{ server: number; at: number } | null>(null);

export function hear(server: string): void {
  heard.value = { server: Date.parse(server), at: performance.now() };
}

export function now(): number {
  const known = heard.value;
  return known === null ? Date.now() : known.server + (performance.now() - known.at);
}

/** Ticks once a second, for ages. */
export const tick = signal(0);
setInterval(() => (tick.value += 1), 1000);

const forms = new Map<string, Intl.DateTimeFormat>();

function form(of: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = of + JSON.stringify(options);
  let found = forms.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-US', { timeZone: of, hourCycle: 'h23', ...options });
    forms.set(key, found);
  }
  return found;
}

const ALL: Intl.DateTimeFormatOptions = {
  year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short',
};

interface Parts { day: string; clock: string; name: string }

function parts(moment: number): Parts {
  const found: Record<string, string> = {};
  for (const part of form(zone.value, ALL).formatToParts(moment)) found[part.type] = part.value;
  return {
    day: `${found.year}-${found.month}-${found.day}`,
    clock: `${found.hour}:${found.minute}:${found.second}`,
    name: found.timeZoneName ?? zone.value,
  };
}

const HOUR = 3_600_000;

/** Whether the clocks of the house show this time twice. */
function isTwofold(moment: number): boolean {
  const here = parts(moment);
  return [-HOUR, HOUR].some((off) => {
    const there = parts(moment + off);
    return there.day === here.day && there.clock === here.clock;
  });
}

const known = new Map<string, string>();

/** The time of day; with the name of its zone where the clocks show it twice. */
export function clock(at: string | number | null | undefined): string {
  if (at === null || at === undefined) return '–';
  const key = zone.value + at;
  let shown = known.get(key);
  if (shown === undefined) {
    const moment = typeof at === 'number' ? at : Date.parse(at);
    if (Number.isNaN(moment)) return String(at);
    const { clock, name } = parts(moment);
    shown = isTwofold(moment) ? `${clock} ${name}` : clock;
    if (known.size > 20_000) known.clear();
    known.set(key, shown);
  }
  return shown;
}

/** Day, time and the zone. */
export function moment(at: string | number | null | undefined): string {
  if (at === null || at === undefined) return '–';
  const time = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(time)) return String(at);
  const { day, clock, name } = parts(time);
  return `${day} ${clock} ${name}`;
}

/** The time of day, and the day where it is another than today. */
export function brief(at: string | null | undefined): string {
  if (!at) return '–';
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const { day } = parts(time);
  return day === parts(now()).day ? clock(time) : `${day.slice(5)} ${clock(time)}`;
}

export const zoneName = (): string => parts(now()).name;

/** The gaming day that a moment belongs to. */
export function gamingDay(at: number = now()): string {
  const begins = session.value?.house.gaming_day_begins ?? 6;
  const [hour, minute] = String(begins).split(':').map(Number);
  const here = parts(at);
  const [h, m] = here.clock.split(':').map(Number);
  const minutes = (h ?? 0) * 60 + (m ?? 0);
  if (minutes >= (hour ?? 0) * 60 + (minute ?? 0)) return here.day;
  const before = new Date(`${here.day}T12:00:00Z`);
  before.setUTCDate(before.getUTCDate() - 1);
  return before.toISOString().slice(0, 10);
}

/** How long ago, in few letters. */
export function age(at: string | number): string {
  const from = typeof at === 'number' ? at : Date.parse(at);
  return span(Math.max(0, now() - from) / 1000);
}

export function span(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}`;
  return `${Math.floor(whole / 86_400)} d`;
}

/** A time of the house, as a form has it (2026-11-15T20:01), as RFC 3339. Empty for none. */
export function fromHouse(local: string): string | null {
  if (local === '') return null;
  const wanted = local.length === 16 ? `${local}:00` : local.slice(0, 19);
  let guess = Date.parse(`${wanted}Z`);
  if (Number.isNaN(guess)) return null;
  for (let round = 0; round < 3; round += 1) {
    const shown = parts(guess);
    guess += Date.parse(`${wanted}Z`) - Date.parse(`${shown.day}T${shown.clock}Z`);
  }
  return new Date(guess).toISOString();
}
