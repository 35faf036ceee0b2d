// An answer of the archive as a table that sorts, filters, charts and goes elsewhere.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

import { count, dollars, headed, many } from '../base/money';
import { params, put } from '../base/router';
import { moment } from '../base/time';
import type { QueryAnswer } from '../base/types';
import { Empty, RoundLink, versionOf } from './bits';

const isMoney = (name: string) => name.endsWith('_cents');
const title = (name: string) => headed(name.replace(/_cents$|_id$/, ''));

/** Where a name of the answer leads. */
const LEADS: Record<string, string> = {
  dealer: '/people/dealer/', player: '/people/patron/', table_id: '/rounds?table=', incident: '/queue/', set: '/sets/', item: '/sets/', case: '/cases/',
};

export function shown(name: string, type: string, value: unknown) {
  if (value === null || value === undefined) return <span class="faint">–</span>;
  if (isMoney(name) && typeof value === 'number') return dollars(value);
  const leads = LEADS[name];
  if (name === 'round') return <RoundLink id={String(value)} />;
  if (leads !== undefined) return <a href={leads + encodeURIComponent(String(value))}>{String(value)}</a>;
  if (/timestamp|moment/i.test(type)) return <span class="num">{moment(String(value))}</span>;
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : value.toFixed(2);
  return Array.isArray(value) ? value.join('; ') : String(value);
}

const SHOWN = 1_000;

export function Answer({ name, answer, none }: { name: string; answer: QueryAnswer; none?: string }) {
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
  if (answer.rows.length === 0) return none !== undefined ? <p class="faint">{none}</p> : <Empty title="The answer has no rows.">The question was asked of archive version {versionOf(answer.version)}.</Empty>;
  return (
    <>
      <div class="tools">
        <input type="search" aria-label="Filter the rows" placeholder="Filter the rows" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <span class="num">{many(rows.length, 'row')}{answer.more && ': these are not all'}</span>
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
      <p class="faint foot">Archive version {versionOf(answer.version)}</p>
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
    const size = () => ({ width: element.clientWidth, height: 200 });
    const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = () => ({ stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1 } });
    const draw = () => new uPlot(
      {
        ...size(),
        // A bar stands on nothing.
        scales: { x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] }, y: { range: (_, least, most) => [Math.min(0, least), Math.max(0, most) * 1.05 || 1] } }, legend: { show: false },
        // Between two rows there is none.
        axes: [{ ...axis(), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] }, { ...axis(), size: 80, values: (_, ticks) => ticks.map((tick) => (money ? `$${count(tick)}` : String(tick))) }],
        series: [{}, { stroke: colour('--accent'), fill: `${colour('--accent')}33`, paths: uPlot.paths.bars?.({ size: [0.7, 40] }), points: { show: false } }],
      },
      [values.map((_, index) => index + 1), values],
      element,
    );
    let plot = draw();
    // Colours are painted, not looked up: in another theme it is drawn anew.
    const themes = new MutationObserver(() => {
      plot.destroy();
      plot = draw();
    });
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const room = new ResizeObserver(() => plot.setSize(size()));
    room.observe(element);
    return () => {
      themes.disconnect();
      room.disconnect();
      plot.destroy();
    };
  }, [rows, column?.index]);
  // One row is read, not drawn.
  if (columns.length === 0 || rows.length < 2) return null;
  return (
    <div class="chart">
      <label class="inline">Chart <select value={chosen ?? ''} onChange={(event) => put({ chart: event.currentTarget.value })}><option value="">none</option>{columns.map(({ name }) => <option key={name} value={name}>{title(name)}</option>)}</select></label>
      {column !== undefined && <div ref={box} role="img" aria-label={`${title(column.name)} by row; the table below has the figures`} />}
    </div>
  );
}
