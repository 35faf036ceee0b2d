// Which incidents the list shows, and where. Nothing moves that the user did not move: what arrives waits behind a
// button, except priority 1, which enters a lane of its own; what is closed leaves from below the focused row only.
import type { Incident } from '../base/types';

export interface Filter {
  priority: string;
  table: string;
  game: string;
  code: string;
  dealer: string;
  q: string;
  show: string;
}

export const FILTERS = ['priority', 'table', 'game', 'code', 'dealer', 'q', 'show'] as const;

export function filterOf(params: URLSearchParams): Filter {
  const of = (name: string) => params.get(name) ?? '';
  return { priority: of('priority'), table: of('table'), game: of('game'), code: of('code'), dealer: of('dealer'), q: of('q'), show: of('show') };
}

export function matches(incident: Incident, filter: Filter, me: string): boolean {
  if (filter.priority !== '' && !filter.priority.split(',').includes(String(incident.priority))) return false;
  if (filter.table !== '' && incident.table.toLowerCase() !== filter.table.toLowerCase()) return false;
  if (filter.game !== '' && incident.game !== filter.game) return false;
  if (filter.code !== '' && !incident.codes.some((code) => code.startsWith(filter.code))) return false;
  if (filter.dealer !== '' && incident.dealer !== filter.dealer) return false;
  if (filter.show === 'new' && incident.acknowledged) return false;
  if (filter.show === 'mine' && incident.held?.by !== me) return false;
  if (filter.show === 'free' && incident.held) return false;
  if (filter.q === '') return true;
  const text = [incident.headline, incident.table, incident.round, incident.dealer, incident.player, incident.game, ...incident.codes];
  return text.some((part) => part?.toLowerCase().includes(filter.q.toLowerCase()));
}

/** By priority, then the oldest first. */
export function sorted(all: Iterable<Incident>): string[] {
  const list = [...all];
  list.sort((a, b) => a.priority - b.priority || (a.began < b.began ? -1 : a.began > b.began ? 1 : a.id < b.id ? -1 : 1));
  return list.map((incident) => incident.id);
}

export interface Order {
  lane: readonly string[];
  list: readonly string[];
  waiting: readonly string[];
  /** Rows that stay although their incident is closed, because they stand above the focused one. */
  over: number;
}

export const EMPTY: Order = { lane: [], list: [], waiting: [], over: 0 };

/** The order as a user asks for it: everything in its place. */
export function fresh(open: readonly Incident[]): Order {
  const lane = open.filter((incident) => incident.priority === 1 && !incident.acknowledged);
  const laned = new Set(lane.map((incident) => incident.id));
  return { lane: sorted(lane), list: sorted(open.filter((incident) => !laned.has(incident.id))), waiting: [], over: 0 };
}

/** The order after a change that the user did not ask for. */
export function after(order: Order, open: readonly Incident[], focused: string | null): Order {
  const ids = new Set(open.map((incident) => incident.id));
  const keep = (rows: readonly string[]): string[] => {
    const at = focused === null ? -1 : rows.indexOf(focused);
    return rows.filter((id, index) => ids.has(id) || index <= at);
  };
  // A row above the focused one stays, and so does every row of the lane while the focus is below it.
  const inList = focused !== null && order.list.includes(focused);
  const lane = inList ? [...order.lane] : keep(order.lane);
  const list = keep(order.list);
  const there = new Set([...lane, ...list]);
  const waiting: string[] = [];
  const arrived: Incident[] = [];
  for (const incident of open) {
    if (there.has(incident.id)) continue;
    if (incident.priority === 1) arrived.push(incident);
    else waiting.push(incident.id);
  }
  lane.push(...sorted(arrived));
  const over = [...lane, ...list].filter((id) => !ids.has(id)).length;
  return { lane, list, waiting, over };
}
