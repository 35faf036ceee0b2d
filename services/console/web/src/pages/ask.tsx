// Named questions as forms; answers as tables that sort, filter, chart and go elsewhere.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

import { get, post } from '../base/api';
import { useLoaded } from '../base/hooks';
import { count, dollars, words } from '../base/money';
import { go, params, put } from '../base/router';
import { fromHouse, moment, zone } from '../base/time';
import type { QueryAnswer, QueryInfo } from '../base/types';
import { Await, Empty, Head, RoundLink } from '../parts/bits';

export function Ask({ name }: { name: string }) {
  const [queries, again] = useLoaded('queries', () => get<QueryInfo[]>('/queries'));
  return (
    <div class="page ask">
      <Await of={queries} again={again}>
        {(all) => {
          const query = all.find((known) => known.name === name);
          return (
            <div class="ask-two">
              <nav class="questions" aria-label="Questions">
                <h1>Questions</h1>
                <ul>{all.map((known) => <li key={known.name}><a href={`/ask/${known.name}`} aria-current={known.name === name ? 'page' : undefined}><b>{known.title ?? words(known.name)}</b><small class="faint">{known.about}</small></a></li>)}</ul>
              </nav>
              <section>{query === undefined ? (name === '' ? <Empty title="Choose a question.">Each asks the archive; the answer carries the archive’s version.</Empty> : <Empty title={`There is no question “${name}”.`} />) : <Question key={query.name} query={query} />}</section>
            </div>
          );
        }}
      </Await>
    </div>
  );
}

const KINDS = { text: 'text', int: 'number', moment: 'datetime-local', day: 'date' } as const;

function Question({ query }: { query: QueryInfo }) {
  const at = params.value;
  const asked = at.get('ask') === '1';
  const given = useMemo(() => {
    const values: Record<string, string> = {};
    for (const { name, type } of query.parameters) {
      const value = at.get(`p.${name}`);
      if (value) values[name] = type === 'moment' ? (fromHouse(value) ?? value) : value;
    }
    return values;
  }, [at, query]);
  const key = asked ? JSON.stringify(given) : null;
  const [answer, again] = useLoaded(key, () => post<QueryAnswer>(`/queries/${encodeURIComponent(query.name)}`, { params: given }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const next = new URLSearchParams({ ask: '1' });
    for (const { name } of query.parameters) if (data.get(name)) next.set(`p.${name}`, String(data.get(name)));
    go(`/ask/${query.name}?${next}`);
  };
  return (
    <>
      <Head title={query.title ?? words(query.name)}><p class="sub">{query.about}</p></Head>
      <form class="asks" onSubmit={submit}>
        {query.parameters.map(({ name, type, default: fallback, about }) => (
          <label key={name}>{words(name)}
            <input name={name} type={KINDS[type] as "text"} step={type === 'moment' ? 1 : undefined} defaultValue={at.get(`p.${name}`) ?? ''} required={fallback === undefined} autoComplete="off" />
            <small class="faint">{about}{fallback !== undefined && fallback !== null ? ` If empty: ${fallback}.` : ''}</small>
          </label>
        ))}
        <button class="main">Ask</button>
        {query.parameters.some(({ type }) => type === 'moment') && <span class="faint">Times are the house’s ({zone.value}).</span>}
      </form>
      {key !== null && <Await of={answer} again={again}>{(found) => <Answer name={query.name} answer={found} />}</Await>}
    </>
  );
}

const isMoney = (name: string) => name.endsWith('_cents');
const title = (name: string) => words(name.replace(/_cents$/, ''));

function shown(name: string, type: string, value: unknown) {
  if (value === null || value === undefined) return <span class="faint">–</span>;
  if (isMoney(name) && typeof value === 'number') return dollars(value);
  if (name === 'round') return <RoundLink id={String(value)} />;
  if (/timestamp|moment/i.test(type)) return <span class="num">{moment(String(value))}</span>;
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : value.toFixed(2);
  return Array.isArray(value) ? value.join('; ') : String(value);
}

const SHOWN = 1_000;

function Answer({ name, answer }: { name: string; answer: QueryAnswer }) {
  const [by, setBy] = useState<[number, boolean] | null>(null);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => {
    const low = filter.toLowerCase();
    const kept = answer.rows.filter((row) => filter === '' || row.some((cell) => String(cell ?? '').toLowerCase().includes(low)));
    if (by === null) return kept;
    const [column, down] = by;
    return [...kept].sort((a, b) => {
      const [one, other] = [a[column], b[column]];
      const order = typeof one === 'number' && typeof other === 'number' ? one - other : String(one ?? '').localeCompare(String(other ?? ''), 'en', { numeric: true });
      return down ? -order : order;
    });
  }, [answer, by, filter]);
  const right = answer.columns.map((column, index) => isMoney(column.name) || answer.rows.some((row) => typeof row[index] === 'number'));
  if (answer.rows.length === 0) return <Empty title="The answer has no rows.">The question was asked of archive version {JSON.stringify(answer.version)}.</Empty>;
  return (
    <>
      <div class="tools">
        <input type="search" aria-label="Filter the rows" placeholder="Filter the rows" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <span class="num">{count(rows.length)} rows{answer.more && ': these are not all'}</span>
        <span class="grow" />
        <button onClick={() => save(name, answer, rows)}>CSV</button>
        <button onClick={() => window.print()}>Print</button>
      </div>
      {answer.more && <p class="wrong">There are more rows than a page shows. Ask for less, or ask in the terminal.</p>}
      <Chart answer={answer} rows={rows} right={right} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Answer">
        <table class="list">
          <thead><tr>{answer.columns.map((column, index) => (
            <th key={column.name} class={right[index] ? 'r' : ''} aria-sort={by?.[0] === index ? (by[1] ? 'descending' : 'ascending') : 'none'}>
              <button class="plain" onClick={() => setBy(by?.[0] === index && !by[1] ? [index, true] : [index, false])}>{title(column.name)}{by?.[0] === index ? (by[1] ? ' ↓' : ' ↑') : ''}</button>
            </th>
          ))}</tr></thead>
          <tbody>{rows.slice(0, SHOWN).map((row, at) => <tr key={at}>{answer.columns.map((column, index) => <td key={column.name} class={right[index] ? 'r num' : ''}>{shown(column.name, column.type, row[index])}</td>)}</tr>)}</tbody>
        </table>
      </div>
      {rows.length > SHOWN && <p class="faint">The first {count(SHOWN)} are shown; CSV has all {count(rows.length)}.</p>}
      <p class="faint foot">Archive version {JSON.stringify(answer.version)}</p>
    </>
  );
}

/** A cell that begins like a formula is text for a spreadsheet too. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value) ? value.join('; ') : String(value);
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function save(name: string, answer: QueryAnswer, rows: unknown[][]): void {
  const lines = [answer.columns.map((column) => cell(column.name)).join(','), ...rows.map((row) => row.map(cell).join(','))];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([lines.join('\r\n') + '\r\n'], { type: 'text/csv' }));
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** One column of figures over its rows. */
function Chart({ answer, rows, right }: { answer: QueryAnswer; rows: unknown[][]; right: boolean[] }) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = params.value.get('chart');
  const columns = answer.columns.map((column, index) => ({ name: column.name, index })).filter(({ index }) => right[index]);
  const column = columns.find(({ name }) => name === chosen);
  useEffect(() => {
    const element = box.current;
    if (element === null || column === undefined) return;
    const money = isMoney(column.name);
    const values = rows.map((row) => (typeof row[column.index] === 'number' ? (row[column.index] as number) / (money ? 100 : 1) : null));
    const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } };
    const plot = new uPlot(
      {
        width: element.clientWidth, height: 200, scales: { x: { time: false } }, legend: { show: false },
        axes: [axis, { ...axis, size: 80, values: (_, ticks) => ticks.map((tick) => (money ? `$${count(tick)}` : String(tick))) }],
        series: [{}, { stroke: colour('--accent'), fill: `${colour('--accent')}33`, paths: uPlot.paths.bars?.({ size: [0.7, 40] }), points: { show: false } }],
      },
      [values.map((_, index) => index + 1), values],
      element,
    );
    return () => plot.destroy();
  }, [rows, column?.index]);
  if (columns.length === 0) return null;
  return (
    <div class="chart">
      <label class="inline">Chart <select value={chosen ?? ''} onChange={(event) => put({ chart: event.currentTarget.value })}><option value="">none</option>{columns.map(({ name }) => <option key={name} value={name}>{title(name)}</option>)}</select></label>
      {column !== undefined && <div ref={box} role="img" aria-label={`${title(column.name)} by row; the table below has the figures`} />}
    </div>
  );
}
