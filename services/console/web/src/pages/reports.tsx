// The auditors' reports; each figure leads to what makes it.
import { get, query } from '../base/api';
import { useLoaded } from '../base/hooks';
import { count, dollars, words } from '../base/money';
import { go, params } from '../base/router';
import { moment, now } from '../base/time';
import type { Figure, FigureKind, ReportInfo, ReportPaper, ReportPart, Why } from '../base/types';
import { Await, Empty, Head, RoundLink, versionOf } from '../parts/bits';

const FIELDS = ['table', 'pit', 'shift'] as const;
/** Reports whose rows are of a table or a game: their figures are sums of something. */
const FOLLOWED = ['master-game', 'win-bridge', 'gaming-tax'];

interface Listed { reports: ReportInfo[]; last_day: string | null }

export function Reports({ name, day, why }: { name: string; day: string; why: boolean }) {
  const [listed, again] = useLoaded('reports', () => get<Listed>('/reports'));
  return (
    <div class="page ask">
      <Await of={listed} again={again}>
        {({ reports, last_day }) => {
          const report = reports.find((known) => known.name === name);
          const of = day || last_day || '';
          return (
            <div class="ask-two">
              <nav class="questions" aria-label="Reports">
                <h1>Reports</h1>
                <ul>{reports.map((known) => <li key={known.id}><a href={`/reports/${known.name}${day ? `/${day}` : ''}`} aria-current={known.name === name ? 'page' : undefined}><b><span class="num faint">{known.id}</span> {known.title}</b></a></li>)}</ul>
              </nav>
              <section>
                {report === undefined
                  ? name === '' ? <Empty title="Choose a report.">{last_day === null ? 'The archive has no day with money in it yet.' : `The last gaming day that the archive has is ${last_day}.`}</Empty> : <Empty title={`There is no report “${name}”.`} />
                  : of === '' ? <><Head title={`${report.id} ${report.title}`} /><Empty title="No report can be drawn yet.">The archive has no day with money in it.</Empty></>
                    : why ? <WhyOf report={report} day={of} /> : <Drawn key={report.name} report={report} day={of} />}
              </section>
            </div>
          );
        }}
      </Await>
    </div>
  );
}

const asked = (day: string) => (day.length === 7 ? { month: day } : { day });

function Drawn({ report, day }: { report: ReportInfo; day: string }) {
  const at = params.value;
  const narrowed = Object.fromEntries(FIELDS.map((name) => [name, at.get(name)]));
  const path = `/reports/${report.name}${query({ ...asked(day), ...narrowed })}`;
  const [paper, again] = useLoaded(path, () => get<ReportPaper>(path));
  const file = (format: string) => `/api/v1${path}${path.includes('?') ? '&' : '?'}format=${format}`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    go(`/reports/${report.name}/${text('month') || text('day') || day}${query(Object.fromEntries(FIELDS.map((name) => [name, text(name)])))}`);
  };
  return (
    <>
      <Head title={`${report.id} ${report.title}`}><p class="sub">{report.about}</p></Head>
      <form class="asks" onSubmit={submit} key={`${day} ${at}`}>
        <label>Gaming day<input name="day" type="date" defaultValue={day.length === 7 ? '' : day} /></label>
        <label>or a month<input name="month" pattern="\d{4}-\d{2}" placeholder="2026-11" defaultValue={day.length === 7 ? day : ''} autoComplete="off" /></label>
        {FIELDS.map((name) => <label key={name}>{words(name).replace(/^./, (first) => first.toUpperCase())}<input name={name} defaultValue={at.get(name) ?? ''} autoComplete="off" /></label>)}
        <button class="main">Draw</button>
        <span class="grow" />
        <span class="files"><a class="chip" href={file('xlsx')} download>XLSX</a> <a class="chip" href={file('csv')} download>CSV</a> <a class="chip" href={file('text')} download>Text</a> <button type="button" onClick={() => window.print()}>Print</button></span>
      </form>
      <Await of={paper} again={again}>{(found) => <PaperOf paper={found} />}</Await>
    </>
  );
}

function PaperOf({ paper }: { paper: ReportPaper }) {
  return (
    <article class="report" data-report={paper.report.name}>
      <p class="of">{paper.of}{FIELDS.map((name) => params.value.get(name) && ` · ${name} ${params.value.get(name)}`)}</p>
      <Caveats of={paper.caveats} />
      {paper.parts.map((part, index) => <PartOf key={`${part.title} ${index}`} part={part} paper={paper} main={index === 0} />)}
      <footer class="faint foot">
        {paper.foot.map(([name, said], index) => <p key={index}><b>{name}</b> {said}</p>)}
        <p><b>drawn</b> {moment(now())}</p>
      </footer>
    </article>
  );
}

const SHOWN = 5;

/** What is not final stands on top, with the amounts that are uncertain. */
function Caveats({ of }: { of: ReportPaper['caveats'] }) {
  if (of.length === 0) return <p class="final">Final: every table has closed, every box is counted, every round is judged.</p>;
  const line = (caveat: ReportPaper['caveats'][number], index: number) => (
    <li key={index}>
      {caveat.table && <><b>{caveat.table}</b>: </>}{caveat.what}{caveat.times > 1 && ` (${count(caveat.times)} times)`}
      {caveat.uncertain_cents !== null && <span class="faint"> · {dollars(caveat.uncertain_cents)} uncertain{caveat.amount_is && `: ${caveat.amount_is}`}</span>}
    </li>
  );
  return (
    <div class="caveats" role="note">
      <b>Not final</b>
      <ul>{of.slice(0, SHOWN).map(line)}</ul>
      {of.length > SHOWN && <details><summary>{count(of.length - SHOWN)} more</summary><ul>{of.slice(SHOWN).map(line)}</ul></details>}
    </div>
  );
}

const isFigure = (kind: FigureKind) => kind === 'money' || kind === 'count' || kind === 'number';

export function shownFigure(value: Figure, kind: FigureKind): string {
  if (value === null) return '–';
  if (kind === 'money') return dollars(value as number);
  if (kind === 'count') return count(value as number);
  if (kind === 'number') return (value as number).toFixed(2);
  if (kind === 'flag') return value ? 'yes' : 'no';
  return String(value);
}

/** Columns in which nothing stands are left out, as in the terminal. */
function PartOf({ part, paper, main }: { part: ReportPart; paper: ReportPaper; main: boolean }) {
  const kept = part.columns.map((column, index) => ({ ...column, index })).filter(({ index }) => part.rows.some((row) => row[index] !== null));
  if (part.rows.length === 0) return <section class="part"><h2>{part.title}</h2><p class="faint">{part.none}</p></section>;
  const follows = FOLLOWED.includes(paper.report.name) && (main || part.by !== null);
  const cell = (row: Figure[], column: (typeof kept)[number], total: boolean) => {
    const value = row[column.index] ?? null;
    const text = shownFigure(value, column.kind);
    if (column.name === 'round' && typeof value === 'string') return <RoundLink id={value} />;
    if (column.name === 'table_id' && typeof value === 'string' && !total) return <a href={`/rounds?table=${encodeURIComponent(value)}`}>{value}</a>;
    if (column.name === 'dealer' && typeof value === 'string') return <a href={`/people/dealer/${encodeURIComponent(value)}`}>{value}</a>;
    if (!follows || value === null || !isFigure(column.kind)) return text;
    return <a class="figure" href={whyOf(part, paper, row, column.name, total)} data-cell={column.name}>{text}</a>;
  };
  const negative = (row: Figure[], index: number) => (typeof row[index] === 'number' && (row[index] as number) < 0 ? ' negative' : '');
  return (
    <section class="part" data-part={part.title}>
      <h2>{part.title}{part.query && <a class="plain-link" href={`/ask/${part.query}?ask=1&p.first=${paper.first}&p.last=${paper.last}`}>the question behind it</a>}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={part.title}>
        <table class="list">
          <thead><tr>{kept.map((column) => <th key={column.name} scope="col" class={isFigure(column.kind) ? 'r' : ''} title={part.formulas[column.name] ? `${column.title} = ${part.formulas[column.name]?.replaceAll('_', ' ')}` : undefined}>{column.title}</th>)}</tr></thead>
          <tbody>{part.rows.map((row, at) => <tr key={at}>{kept.map((column) => <td key={column.name} class={isFigure(column.kind) ? `r num${negative(row, column.index)}` : column.kind === 'day' ? 'name num' : 'name'}>{cell(row, column, false)}</td>)}</tr>)}</tbody>
          {part.totals !== null && <tfoot><tr>{kept.map((column) => <td key={column.name} class={isFigure(column.kind) ? `r num${negative(part.totals ?? [], column.index)}` : ''}>{part.totals?.[column.index] === null ? '' : cell(part.totals ?? [], column, true)}</td>)}</tr></tfoot>}
        </table>
      </div>
    </section>
  );
}

/** Where a figure leads: the same days, narrowed to what its row is of. */
function whyOf(part: ReportPart, paper: ReportPaper, row: Figure[], cell: string, total: boolean): string {
  const of = (name: string): string | null => {
    const at = part.columns.findIndex((column) => column.name === name);
    const value = at < 0 || total ? null : row[at];
    return value === null || value === undefined ? null : String(value);
  };
  const day = of('gaming_day');
  const to_date = of('of');
  const first = to_date === null ? paper.first : to_date.startsWith('year') ? `${paper.last.slice(0, 4)}-01-01` : `${paper.last.slice(0, 7)}-01`;
  const narrowed = Object.fromEntries(FIELDS.map((name) => [name, params.value.get(name)]));
  // Of the bridge, the win is the master game report's.
  const [name, figure] = cell === 'counted_win' ? ['master-game', 'win'] : [paper.report.name, cell];
  const which = { cell: figure, first: day ?? first, last: day ?? paper.last, ...narrowed };
  return `/reports/${name}/${paper.first === paper.last ? paper.first : paper.first.slice(0, 7)}/why${query({ ...which, property: of('property'), table: of('table_id') ?? narrowed.table, game: of('game'), pit: of('pit') ?? narrowed.pit, shift: of('shift') ?? narrowed.shift })}`;
}

const NARROWS = ['property', 'table', 'game', 'pit', 'shift'] as const;

function WhyOf({ report, day }: { report: ReportInfo; day: string }) {
  const at = params.value;
  const which = Object.fromEntries(['cell', 'first', 'last', ...NARROWS].map((name) => [name, at.get(name)]));
  const path = `/reports/${report.name}/why${query(which)}`;
  const [why, again] = useLoaded(path, () => get<Why>(path));
  const here = (more: Record<string, string | null | undefined>) => `/reports/${report.name}/${day}/why${query({ ...which, ...more })}`;
  return (
    <>
      <Head title={`${report.id} ${report.title}`}><p class="sub"><a href={`/reports/${report.name}/${day}`}>Back to the report</a></p></Head>
      <Await of={why} again={again}>{(found) => <Made of={found} here={here} which={which} />}</Await>
    </>
  );
}

function Made({ of, here, which }: { of: Why; here: (more: Record<string, string | null>) => string; which: Record<string, string | null> }) {
  const days = which.first === which.last ? `gaming day ${which.first}` : `gaming days ${which.first} to ${which.last}`;
  const narrowed = NARROWS.filter((name) => which[name]).map((name) => `${name} ${words(which[name] ?? '')}`);
  return (
    <article class="why" data-figure={of.figure}>
      <p class="of">{[days, ...narrowed].join(' · ')}</p>
      <p class="figure-of"><span>{of.title}</span> <b class="num" data-value={of.value === null ? '' : String(of.value)}>{shownFigure(of.value, of.kind)}</b></p>
      {of.value === null && <p class="wrong">This figure is not known: something that it needs was not told. It is not 0.</p>}
      {of.terms !== null && (
        <section class="part">
          <h2>{of.title} = {of.formula?.replaceAll('_', ' ')}</h2>
          <table class="list short"><tbody>{of.terms.map((term) => <tr key={term.name}><th scope="row">{term.title}</th><td class="r num"><a class="figure" href={here({ cell: term.name })}>{shownFigure(term.value, term.kind)}</a></td></tr>)}</tbody></table>
        </section>
      )}
      {of.rows !== null && <RowsOf of={of} here={here} />}
      {of.terms === null && of.rows === null && <p>This figure is worked out by the question <a href={`/ask/${of.query}?ask=1&p.first=${which.first}&p.last=${which.last}`}>{of.query}</a>, which can be asked by itself.</p>}
      <p class="faint foot">Archive version {versionOf(of.version)}</p>
    </article>
  );
}

function RowsOf({ of, here }: { of: Why; here: (more: Record<string, string | null>) => string }) {
  const rows = of.rows;
  if (rows === null) return null;
  const agrees = of.value === null || rows.sum === of.value;
  const kind = of.kind;
  return (
    <section class="part">
      <h2>{rows.by === 'table' ? 'By table and day' : 'Row by row'}</h2>
      {of.value !== null && <p class={agrees ? 'final' : 'wrong'} data-agrees={agrees}>{agrees ? `The rows sum to the figure, to the cent: ${shownFigure(rows.sum, kind)}.` : `The rows sum to ${shownFigure(rows.sum, kind)}, and the figure is ${shownFigure(of.value, kind)}: tell whoever keeps this installation.`}</p>}
      {rows.more && <p class="wrong">There are more rows than a page shows; the sum is of all.</p>}
      {rows.list.length === 0 ? <p class="faint">No row is part of it.</p> : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Rows">
          <table class="list">
            {rows.by === 'table' ? (
              <>
                <thead><tr><th>Gaming day</th><th>Table</th><th>Shift</th><th class="r">Rows</th><th class="r">{of.title}</th></tr></thead>
                <tbody>{rows.list.map((row, at) => <tr key={at}><td class="num">{row.day}</td><td>{row.table}</td><td>{row.shift ?? '–'}</td><td class="r num">{count(row.rows)}</td><td class="r num"><a class="figure" href={here({ first: row.day, last: row.day, table: row.table, property: row.property, shift: row.shift })} data-amount={row.amount}>{shownFigure(row.amount, kind)}</a></td></tr>)}</tbody>
              </>
            ) : (
              <>
                <thead><tr><th class="r">No.</th><th>At</th><th>What</th><th>Round</th><th class="r">{of.title}</th></tr></thead>
                <tbody>{rows.list.map((row, at) => <tr key={at}><td class="r num">{row.seq ?? '–'}</td><td class="num">{moment(row.at)}</td><td>{words(row.what)}</td><td>{row.round === null ? '–' : <RoundLink id={row.round} />}</td><td class="r num" data-amount={row.amount}>{shownFigure(row.amount, kind)}</td></tr>)}</tbody>
              </>
            )}
            <tfoot><tr>{Array.from({ length: 4 }, (_, index) => <td key={index}>{index === 0 ? 'sum' : ''}</td>)}<td class="r num" data-sum={rows.sum}>{shownFigure(rows.sum, kind)}</td></tr></tfoot>
          </table>
        </div>
      )}
    </section>
  );
}
