// The rule beside a step: what the book says of the wager, the deal or the finding.
import { words } from '../base/money';
import type { Book, Cite, FloorEvent } from '../base/types';
import type { Round, Step } from './model';

export interface Rule {
  what: string;
  text: string;
  cite: string;
  pays?: { what: string; odds: string; when?: string }[];
  /** A finding says it, not the book. */
  wrong?: boolean;
}

export const citeOf = (cite: Cite | undefined, edition: string): string => {
  if (cite === undefined) return '';
  const said = typeof cite === 'string' ? cite : (cite[edition] ?? Object.values(cite)[0] ?? '');
  return said === '-' ? '' : said;
};

export const holds = (editions: string[] | null | undefined, edition: string): boolean => editions === null || editions === undefined || editions.includes(edition);

export const oddsOf = (pays: unknown): string => (typeof pays === 'string' ? pays : JSON.stringify(pays));

function ofKind(book: Book, kind: string, edition: string): Rule | null {
  const entries = book.wagers.filter((entry) => entry.kind === kind);
  const entry = entries.find((found) => holds(found.editions, edition)) ?? entries[0];
  if (entry === undefined) return null;
  const pays: Rule['pays'] = [];
  for (const name of entry.pays) {
    const [id, ...key] = name.split('.');
    for (const table of book.tables.filter((known) => known.id === id && holds(known.editions, edition))) {
      const rows = key.length === 0 ? table.rows : table.rows.filter((row) => row.key === key.join('.'));
      for (const row of rows) pays.push({ what: words(row.key), odds: oddsOf(row.pays), when: row.when ?? undefined });
    }
  }
  const settled = entry.settled ? ` ${entry.settled}.` : '';
  return { what: words(kind), text: `${entry.meaning}.${settled}`.replaceAll('`', ''), cite: citeOf(entry.cite, edition), pays: pays.slice(0, 12) };
}

function kindOf(round: Round, wager: string): string | null {
  const placed = round.events.find((event) => event.body.type === 'wager_placed' && event.body.wager === wager);
  return placed?.body.kind ?? round.document?.wagers.find((known) => known.id === wager)?.kind ?? null;
}

function ofDeal(book: Book, edition: string, event: FloorEvent): Rule | null {
  const layout = book.layouts.find((known) => holds(known.editions, edition));
  if (layout === undefined) return null;
  const street = event.body.window
    ? layout.streets.find((known) => known.closes === event.body.window)
    : event.body.type === 'decision'
      ? layout.streets.find((known) => known.acts?.includes(String(event.body.action).split(' ')[0] ?? ''))
      : undefined;
  const what: Record<string, string> = {
    decision: 'Decisions', betting_closed: 'Wagers are closed', card_burned: 'Burned cards', irregularity: 'Irregularities',
  };
  return {
    what: what[event.body.type] ?? 'The deal',
    text: street ? `${words(street.street)}${street.closes ? `: closes ${words(street.closes)} wagers` : ''}${street.acts?.length ? `; then a seat may ${street.acts.map(words).join(', ')}` : ''}.` : 'How this game is dealt, step by step, stands in these sections.',
    cite: citeOf(layout.cite, edition),
  };
}

/** What the book and the findings say about a step. */
export function rulesOf(book: Book | null, round: Round, step: Step | undefined): Rule[] {
  if (step === undefined) return [];
  const edition = round.document?.edition ?? book?.editions[0]?.edition ?? '';
  const rules: Rule[] = step.findings.map((finding) => ({
    what: finding.code, text: finding.message, cite: finding.cites.join('; '), wrong: true,
  }));
  if (book === null) return rules;
  for (const finding of step.findings) {
    const entry = book.findings.find((known) => known.code === finding.code && holds(known.editions, edition));
    const rule = rules.find((known) => known.what === finding.code && known.wrong);
    if (entry !== undefined && rule !== undefined && rule.cite === '') rule.cite = citeOf(entry.cite, edition);
  }
  const body = step.event.body;
  const kind = body.type === 'wager_placed' ? body.kind : body.wager !== undefined ? kindOf(round, body.wager) : null;
  const rule = kind === null ? null : ofKind(book, kind, edition);
  if (rule !== null) rules.push(rule);
  else if (kind === null && !body.type.startsWith('round_')) {
    const deal = ofDeal(book, edition, step.event);
    if (deal !== null) rules.push(deal);
  }
  return rules;
}
