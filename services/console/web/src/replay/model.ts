// A round as a list of steps, and what lies on the table after each of them. What a step shows follows from the events
// up to it and from nothing else, so that going back shows what was there.
import type { Finding, FloorEvent, RoundDocument, WagerRow } from '../base/types';

export type WagerState = 'standing' | 'paid' | 'collected' | 'pushed' | 'removed';

export interface Bet {
  id: string;
  seat: number;
  player?: string;
  kind: string;
  amount: number;
  on?: string;
  detail: Record<string, any>;
  state: WagerState;
  paid: number;
  commission: number;
  /** It lay there when the round began. */
  from_before: boolean;
  /** The number that a bet of dice has travelled to. */
  point?: number;
}

export interface Card {
  /** None where nobody saw it. */
  card: string | null;
  up: boolean;
  seq: number;
}

export interface SetHand {
  high: string[];
  low: string[];
}

export interface Table {
  bets: Bet[];
  /** By place: `seat:3`, `seat:3:2` for a second hand, `dealer`, `player`, `banker`, `community`. */
  hands: Map<string, Card[]>;
  set: Map<string, SetHand>;
  tiles: Map<string, (string | null)[]>;
  burned: number;
  dice: number[] | null;
  diceValid: boolean;
  rolls: number[][];
  spun: string | null;
  spunValid: boolean;
  point: number | null;
  decisions: Map<number, string>;
  closed: string[];
  pots: { pot: number; seat: number; amount: number }[];
  rake: number;
  banker: number | null;
  over: 'closed' | 'void' | null;
  /** What the last step touched: ids of bets, places of hands. */
  now: Set<string>;
  /** The last step, by its number: of a hand it is the card with this one that was touched. */
  seq: number;
}

export interface Step {
  seq: number;
  at: string;
  event: FloorEvent;
  findings: Finding[];
}

export interface Round {
  game: string;
  steps: Step[];
  events: FloorEvent[];
  document: RoundDocument | null;
  wagers: WagerRow[];
  findings: Finding[];
  /** Steps, from 1, at which something is wrong. */
  faulty: number[];
}

export const placeOf = (to: string, seat?: number | null, hand?: number | null): string => {
  const base = to === 'seat' ? `seat:${seat ?? 0}` : to;
  return hand !== undefined && hand !== null && hand > 1 ? `${base}:${hand}` : base;
};

const SETTLES = ['wager_paid', 'wager_collected', 'wager_pushed'];

/** The step at which a finding shows: where the wager was settled wrongly, or the last event that shows it. */
function stepOf(finding: Finding, events: FloorEvent[]): number {
  const about_pay = finding.wager && /^(pay|commission|vigorish)\./.test(finding.code);
  if (about_pay) {
    const settled = events.findLastIndex((event) => SETTLES.includes(event.body.type) && event.body.wager === finding.wager);
    if (settled >= 0) return settled;
    // What was never paid shows at the end.
    const end = events.findLastIndex((event) => ['round_closed', 'round_voided'].includes(event.body.type));
    if (end >= 0) return end;
  }
  const shown = events.findLastIndex((event) => finding.evidence.includes(event.seq));
  if (shown >= 0) return shown;
  const at = events.findLastIndex((event) => event.at <= finding.at);
  return at >= 0 ? at : events.length - 1;
}

export function roundOf(game: string, story: { events: FloorEvent[]; document: RoundDocument | null; wagers: WagerRow[]; findings: Finding[] }): Round {
  // An event that was sent again is one event.
  const seen = new Set<number>();
  const events = [...story.events].sort((a, b) => a.seq - b.seq).filter((event) => !seen.has(event.seq) && seen.add(event.seq));
  const findings = story.findings.filter((finding) => !finding.resolves);
  const steps: Step[] = events.map((event) => ({ seq: event.seq, at: event.at, event, findings: [] }));
  for (const finding of findings) steps[stepOf(finding, events)]?.findings.push(finding);
  const faulty = steps.flatMap((step, index) => (step.findings.length > 0 ? [index + 1] : []));
  return { game, steps, events, document: story.document, wagers: story.wagers, findings, faulty };
}

/** The table after so many steps; 0 is before the first. */
export function tableAt(round: Round, step: number): Table {
  const table: Table = {
    bets: [], hands: new Map(), set: new Map(), tiles: new Map(), burned: 0, dice: null, diceValid: true, rolls: [],
    spun: null, spunValid: true, point: round.document?.play?.start?.point ?? null, decisions: new Map(), closed: [],
    pots: [], rake: 0, banker: null, over: null, now: new Set(), seq: -1,
  };
  const placed = new Set(round.events.filter((event) => event.body.type === 'wager_placed').map((event) => event.body.wager));
  for (const wager of round.document?.wagers ?? []) {
    if (placed.has(wager.id)) continue;
    const { id, seat, kind, amount, on, player, point, ...detail } = wager;
    table.bets.push({
      id, seat: seat ?? 0, player, kind, amount, on, detail, state: 'standing', paid: 0, commission: 0, from_before: true, point: point ?? undefined,
    });
  }
  round.events.slice(0, step).forEach((event) => {
    table.now = new Set();
    table.seq = event.seq;
    apply(table, event, round.game);
  });
  return table;
}

function apply(table: Table, event: FloorEvent, game: string): void {
  const body = event.body;
  const bet = table.bets.find((known) => known.id === body.wager);
  if (body.wager !== undefined) table.now.add(body.wager);
  switch (body.type) {
    case 'round_opened':
      table.banker = body.banker ?? null;
      break;
    case 'wager_placed':
      table.bets.push({
        id: body.wager, seat: body.seat, player: body.player ?? undefined, kind: body.kind, amount: body.amount, on: body.on ?? undefined,
        detail: typeof body.detail === 'object' && body.detail !== null ? body.detail : {}, state: 'standing', paid: 0, commission: 0, from_before: false,
      });
      break;
    case 'wager_changed':
      if (bet) bet.amount = body.amount;
      break;
    case 'wager_removed':
      if (bet) bet.state = 'removed';
      break;
    case 'betting_closed':
      table.closed.push(body.window ?? 'main');
      break;
    case 'card_dealt': {
      const place = placeOf(body.to, body.seat, body.hand);
      const hand = table.hands.get(place) ?? [];
      table.hands.set(place, [...hand, { card: body.card ?? null, up: body.face === 'up', seq: event.seq }]);
      table.now.add(place);
      break;
    }
    case 'card_revealed': {
      const place = placeOf(body.to, body.seat, body.hand);
      const hand = [...(table.hands.get(place) ?? [])];
      hand[body.index] = { card: body.card, up: true, seq: event.seq };
      for (let at = 0; at < hand.length; at += 1) hand[at] ??= { card: null, up: false, seq: event.seq };
      table.hands.set(place, hand);
      table.now.add(place);
      break;
    }
    case 'card_burned':
      table.burned += 1;
      table.now.add('burned');
      break;
    case 'tiles_dealt': {
      const place = placeOf(body.to, body.seat);
      table.tiles.set(place, body.tiles ?? [null, null, null, null]);
      table.now.add(place);
      break;
    }
    case 'hand_set': {
      const place = placeOf(body.to, body.seat);
      table.set.set(place, { high: body.high ?? [], low: body.low ?? [] });
      table.now.add(place);
      break;
    }
    case 'dice_rolled':
      rolled(table, body.dice, body.valid !== false, game);
      break;
    case 'wheel_spun':
      table.spun = body.result;
      table.spunValid = body.valid !== false;
      table.now.add('wheel');
      break;
    case 'decision':
      decided(table, body as any, game);
      break;
    case 'wager_paid':
      if (bet) Object.assign(bet, { state: 'paid', paid: bet.paid + body.amount, commission: bet.commission + (body.commission ?? 0) });
      break;
    case 'wager_collected':
      if (bet) bet.state = 'collected';
      break;
    case 'wager_pushed':
      if (bet) bet.state = 'pushed';
      break;
    case 'commission_collected':
      if (bet) bet.commission += body.amount;
      break;
    case 'pot_awarded':
      table.pots.push({ pot: body.pot, seat: body.seat, amount: body.amount });
      table.now.add(`seat:${body.seat}`);
      break;
    case 'rake_taken':
    case 'jackpot_drop_taken':
      table.rake += body.amount;
      table.now.add('rake');
      break;
    case 'round_closed':
      table.over = 'closed';
      break;
    case 'round_voided':
      table.over = 'void';
      break;
  }
}

function decided(table: Table, body: { seat: number; hand?: number; action: string }, game: string): void {
  const place = placeOf('seat', body.seat, body.hand);
  const [verb = '', ...cards] = body.action.split(' ');
  if (verb === 'discard') {
    const left = [...(table.hands.get(place) ?? [])];
    for (const card of cards) {
      const at = left.findIndex((held) => held.card === card);
      if (at >= 0) left.splice(at, 1);
    }
    table.hands.set(place, left);
  }
  if (verb.endsWith('split') && SPLIT.includes(game)) split(table, place, body.seat);
  table.decisions.set(body.seat, body.action.replaceAll('_', ' '));
  table.now.add(`decision:${body.seat}`);
  table.now.add(place);
}

/** Where a pair can be played as two hands. */
const SPLIT = ['blackjack', 'free_bet_blackjack', 'spanish_21'];

/** The second card of a pair becomes the first of a hand of its own, after those that the seat has. */
function split(table: Table, place: string, seat: number): void {
  const pair = table.hands.get(place) ?? [];
  const second = pair[1];
  if (pair.length !== 2 || second === undefined) return;
  let number = 2;
  while (table.hands.has(placeOf('seat', seat, number))) number += 1;
  table.hands.set(place, pair.slice(0, 1));
  table.hands.set(placeOf('seat', seat, number), [second]);
  table.now.add(placeOf('seat', seat, number));
}

const ALL_POINTS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const POINTS = [4, 5, 6, 8, 9, 10];

function rolled(table: Table, dice: number[], valid: boolean, game: string): void {
  table.dice = dice;
  table.diceValid = valid;
  table.now.add('dice');
  if (!valid || !game.endsWith('craps')) return;
  table.rolls.push(dice);
  const sum = dice.reduce((total, die) => total + die, 0);
  const points = game === 'crapless_craps' ? ALL_POINTS : POINTS;
  // A bet on the next roll travels to its number.
  for (const bet of table.bets) {
    if (bet.state !== 'standing' || bet.point !== undefined) continue;
    if (['come', 'dont_come'].includes(bet.kind) && points.includes(sum)) {
      bet.point = sum;
      table.now.add(bet.id);
    }
  }
  if (table.point === null) {
    if (points.includes(sum)) table.point = sum;
  } else if (sum === 7 || sum === table.point) {
    table.point = null;
  }
}
