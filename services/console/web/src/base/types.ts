// What the API says, as docs of `/api/v1/openapi.json` describe it.

export type Role =
  | 'surveillance' | 'surveillance_supervisor' | 'surveillance_director'
  | 'investigator' | 'auditor' | 'operator' | 'device' | 'regulator';

export interface Session {
  user: { id: string; name: string; roles: Role[]; properties: string[] | null };
  demo: boolean;
  expires?: string;
  house: { zone: string; gaming_day_begins: string | number; name: string };
}

export type Priority = 1 | 2 | 3 | 4;

export interface Incident {
  id: string;
  property: string;
  table: string;
  game?: string | null;
  round?: string | null;
  dealer?: string | null;
  player?: string | null;
  seat?: number | null;
  began: string;
  last: string;
  /** When its first finding came to the log: deadlines and ages count from it. */
  heard?: string;
  rings_at: string;
  priority: Priority;
  headline: string;
  exposure_cents: number;
  at_stake_cents: number;
  codes: string[];
  count: number;
  status: 'open' | 'resolved' | 'disposed';
  held?: { by: string; since: string } | null;
  acknowledged?: string | null;
  level: string;
  disposal?: Disposal | null;
  acts: number;
  revision: number;
  cites: string[];
  camera?: { url: string; from: string; to: string; offset_ms?: number | null } | null;
  due_by?: string | null;
}

export interface Disposal {
  verdict: string;
  recovered_cents?: number | null;
  case?: string | null;
  reviewer?: string | null;
  video?: string | null;
  notified?: { whom: string; at: string; how: string }[];
}

export interface Finding {
  id: string;
  code: string;
  severity: string;
  property: string;
  table: string;
  game?: string | null;
  round?: string | null;
  wager?: string | null;
  seat?: number | null;
  dealer?: string | null;
  at: string;
  due?: number | null;
  paid?: number | null;
  exposure: number;
  message: string;
  cites: string[];
  evidence: number[];
  rules?: string | null;
  resolves?: string | null;
}

export interface Act {
  id: string;
  incident: string;
  by: { id: string; role: string; station?: string | null };
  at: string;
  deed: string | { type: string; [key: string]: unknown };
  note?: string | null;
}

export interface FloorTable {
  property: string;
  table: string;
  game: string;
  edition?: string;
  open: boolean;
  dealer?: string | null;
  opened_at?: string | null;
  last_event_at?: string | null;
  silence_seconds?: number | null;
  /** When this was told, by the server's clock. */
  told?: number;
  silent: boolean;
  rounds_today: number;
  rounds_per_hour?: number | null;
  clock_offset_ms?: number | null;
  open_incidents: number;
  worst_priority?: Priority | null;
  round?: string | null;
}

export interface FloorEvent {
  id: string;
  table: string;
  seq: number;
  at: string;
  round?: string | null;
  body: Body;
}

export interface Body {
  type: string;
  [field: string]: any;
}

export interface Settlement {
  round: string;
  table: string;
  game: string;
  property: string;
  dealer?: string | null;
  complete: boolean;
  voided?: boolean;
  opened_at: string;
  closed_at?: string;
  at?: string;
  rules?: string | null;
  violations: string[];
  wagers: SettledWager[];
}

export interface SettledWager {
  id: string;
  seat: number;
  player?: string | null;
  kind: string;
  amount: number;
  result?: string | null;
  win?: number | null;
  commission?: number | null;
  returned?: number | null;
  paid: number;
  commission_taken: number;
  difference?: number | null;
}

export interface RoundDocument {
  game: string;
  edition: string;
  options: Record<string, any>;
  wagers: { id: string; seat?: number; kind: string; amount: number; [key: string]: any }[];
  play: Record<string, any>;
}

export interface RoundRow {
  round: string;
  property: string;
  table_id: string;
  game: string;
  edition?: string;
  opened_at: string;
  closed_at: string;
  dealer?: string | null;
  complete: boolean;
  voided: boolean;
  rules?: string | null;
  wagers: number;
  staked_cents: number | null;
  returned_cents: number | null;
  given_cents: number | null;
  difference_cents: number | null;
  findings?: number;
}

export interface RoundStory {
  version: unknown;
  round: RoundRow | null;
  document: RoundDocument | null;
  settlement?: unknown;
  wagers: WagerRow[];
  findings: Finding[];
  events: FloorEvent[];
}

export interface WagerRow {
  wager: string;
  seat: number;
  player?: string | null;
  kind: string;
  amount_cents: number;
  result?: string | null;
  win_cents?: number | null;
  commission_cents?: number | null;
  returned_cents?: number | null;
  paid_cents: number;
  commission_taken_cents: number;
  given_cents?: number | null;
  difference_cents?: number | null;
}

export interface QueryInfo {
  name: string;
  audience: string[] | string;
  title?: string;
  about: string;
  parameters: { name: string; type: 'text' | 'int' | 'moment' | 'day'; default?: string | null; about: string }[];
}

export interface QueryAnswer {
  version: unknown;
  columns: { name: string; type: string }[];
  rows: unknown[][];
  more: boolean;
}

export type Cite = string | Record<string, string>;

export interface Book {
  game: string;
  title: string;
  hash: string;
  editions: { edition: string; text: string }[];
  options: { key: string; editions: string[] | null; meaning: string; cite: Cite; default?: unknown; lawful?: string | null; value: unknown }[];
  layouts: { editions: string[] | null; cite: Cite; streets: { street: string; closes?: string | null; acts?: string[] }[] }[];
  wagers: { kind: string; editions: string[] | null; meaning: string; pays: string[]; settled?: string | null; cite: Cite; window?: string | null; on?: string | null }[];
  tables: { id: string; title: string; editions: string[] | null; cite: Cite; rows: { key: string; pays: unknown; when?: string | null }[] }[];
  figures: { key: string; editions: string[] | null; meaning: string; cite: Cite; value: unknown }[];
  findings: { code: string; editions: string[] | null; severity: string; meaning: string; cite: Cite }[];
  readings: { editions: string[] | null; reading: string; cite: Cite }[];
}

/** An entry of the room's log. */
export interface Entry {
  id: string;
  property: string;
  number: number;
  kind: string;
  at: string;
  by: { id: string; role: string; station?: string };
  table?: string;
  summary: string;
  to?: string;
  initiator?: string;
  reason?: string;
  place?: string;
  persons: string[];
  violation?: string;
  recording_from?: string;
  recording_until?: string;
  outcome?: string;
  refers_to?: number;
}

/** What somebody outside of the room must be told, or was. */
export interface Duty {
  id: string;
  rule: string;
  section: string;
  to: string;
  property: string;
  table: string;
  round?: string;
  incident?: string;
  what: string;
  since: string;
  due_by: string;
  status: 'open' | 'done' | 'missed' | 'lapsed';
  receipt?: { at: string; by: string; how: string };
}

export interface DutyRule { name: string; section: string; what: string; to: string; when: string; found_as?: string[]; by_hand?: string }

/** What somebody did about a case. */
export interface CaseAct {
  id: string;
  case: string | null;
  action: 'open' | 'add' | 'hold' | 'release' | 'close' | 'evidence' | 'erase';
  at: string;
  operator: string;
  role?: string | null;
  authority?: string | null;
  rounds: string[];
  findings: string[];
  patrons: string[];
  note?: string | null;
}

export interface TableShift {
  property: string;
  table: string;
  lost_events: number;
  gap_seconds: number;
  silent_seconds: number;
  money: { at: string; what: string; name?: string; amount_cents?: number }[];
  extended_use: { set: string; since: string }[];
}

export interface ShiftReport {
  property?: string;
  from: string;
  until: string;
  made_at: string;
  whole: boolean;
  /** What is not in it. */
  gaps: string[];
  by_priority: number[];
  late: number;
  people: { id: string; role: string; acts: number; entries: number }[];
  incidents: Incident[];
  open: Incident[];
  entries: Entry[];
  tables: TableShift[];
  handed_over?: { offer: Entry; taken?: Entry };
}

/** A report of the revenue audit, as a list has it. */
export interface ReportInfo { id: string; name: string; title: string; about: string }

export type Figure = string | number | boolean | null;
export type FigureKind = 'text' | 'money' | 'count' | 'number' | 'day' | 'flag';

export interface ReportPart {
  title: string;
  query: string | null;
  columns: { name: string; title: string; kind: FigureKind }[];
  rows: Figure[][];
  totals: Figure[] | null;
  formulas: Record<string, string>;
  by: string | null;
  bars: string | null;
  none: string;
}

export interface ReportPaper {
  report: ReportInfo;
  first: string;
  last: string;
  of: string;
  caveats: { day: string | null; table: string | null; what: string; times: number; uncertain_cents: number | null; amount_is: string | null }[];
  parts: ReportPart[];
  foot: [string, string][];
  version: unknown;
}

/** What a figure is made of. */
export interface Why {
  report: ReportInfo;
  figure: string;
  title: string;
  kind: FigureKind;
  value: Figure;
  formula: string | null;
  terms: { name: string; title: string; value: Figure; kind: FigureKind }[] | null;
  rows:
    | { by: 'table'; sum: number; more: boolean; list: { property: string; table: string; day: string; shift: string | null; rows: number; amount: number }[] }
    | { by: 'row'; sum: number; more: boolean; list: { property: string; table: string; day: string; seq: number | null; at: string | null; round: string | null; what: string; amount: number }[] }
    | null;
  query: string | null;
  version: unknown;
}

/** What each wager of a game is worth. */
export interface OddsSheet {
  game: string;
  edition: string;
  options: unknown;
  rules: string;
  violations: string[];
  lines: {
    wager: string;
    on?: string[];
    basis_words: string;
    note?: string;
    shown?: {
      win: string; push: string; house_edge: string; element_of_risk: string | null; standard_deviation: string;
      rows: { result: string; rows: string[]; gains: string; probability: string; exact: string }[];
    };
  }[];
}
