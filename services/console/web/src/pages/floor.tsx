// Every table: what it plays, how fast, when it was last heard, and what is open.
import { useState } from 'preact/hooks';

import { floorVersion, hasSnapshot, openAt, silence, tables } from '../base/live';
import { count, words } from '../base/money';
import { params, put } from '../base/router';
import { span, tick } from '../base/time';
import type { FloorTable } from '../base/types';
import { Badge, Clock, Empty, Head, RoundLink } from '../parts/bits';

type Column = 'table' | 'game' | 'dealer' | 'rounds_today' | 'rounds_per_hour' | 'silence' | 'clock_offset_ms' | 'open_incidents' | 'edition';
const COLUMNS: [Column, string, boolean][] = [
  ['table', 'Table', false], ['game', 'Game', false], ['edition', 'Rules', false], ['dealer', 'Dealer', false], ['rounds_today', 'Rounds', true], ['rounds_per_hour', 'Per hour', true],
  ['silence', 'Last heard', true], ['clock_offset_ms', 'Clock off', true], ['open_incidents', 'Open', true],
];

function value(table: FloorTable, column: Column): string | number {
  if (column === 'silence') return silence(table);
  const found = table[column];
  return found ?? (typeof found === 'number' ? 0 : '');
}

export function Floor() {
  void floorVersion.value;
  void tick.value;
  const [open, setOpen] = useState(true);
  const by = (params.value.get('by') ?? 'table') as Column;
  const down = params.value.get('down') === '1';
  const counted = [...tables.entries()].map(([key, table]) => ({ ...table, open_incidents: openAt.value.get(key)?.count ?? 0, worst_priority: openAt.value.get(key)?.worst ?? null }));
  const all = counted.filter((table) => !open || table.open);
  all.sort((a, b) => {
    const [one, other] = [value(a, by), value(b, by)];
    const order = typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'en', { numeric: true });
    return (down ? -order : order) || a.table.localeCompare(b.table);
  });
  const silent = all.filter((table) => table.silent).length;
  return (
    <div class="page">
      <Head title="Floor">
        <p class="sub">{count(all.length)} tables{silent > 0 && <b class="wrong"> · {count(silent)} silent</b>} · <label class="inline"><input type="checkbox" checked={open} onChange={() => setOpen(!open)} /> open only</label></p>
      </Head>
      {!hasSnapshot.value ? <div class="loading">Reading…</div> : all.length === 0 ? <Empty title="No table is open.">A table appears when its device sends table_opened.</Empty> : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Tables">
          <table class="list">
            <thead>
              <tr>{COLUMNS.map(([column, name, right]) => (
                <th key={column} class={right ? 'r' : ''} aria-sort={by === column ? (down ? 'descending' : 'ascending') : 'none'}>
                  <button class="plain" onClick={() => put({ by: column, down: by === column && !down ? 1 : null })}>{name}{by === column ? (down ? ' ↓' : ' ↑') : ''}</button>
                </th>
              ))}<th>Round</th></tr>
            </thead>
            <tbody>
              {all.map((table) => (
                <tr key={`${table.property} ${table.table}`} class={table.silent ? 'silent-row' : table.open ? '' : 'faint'} data-table={table.table}>
                  <td><a href={`/rounds?table=${encodeURIComponent(table.table)}`}><b>{table.table}</b></a></td>
                  <td>{words(table.game)}</td><td class="faint">{table.edition ?? '–'}</td><td>{table.dealer ?? '–'}</td>
                  <td class="r num">{count(table.rounds_today)}</td><td class="r num">{table.rounds_per_hour === null || table.rounds_per_hour === undefined ? '–' : Math.round(table.rounds_per_hour)}</td>
                  <td class="r num">{table.silent ? <b class="wrong">silent {span(silence(table))}</b> : table.last_event_at ? <><Clock at={table.last_event_at} /> <small class="faint ago">{span(silence(table))}</small></> : 'never'}</td>
                  <td class={`r num ${Math.abs(table.clock_offset_ms ?? 0) > 1000 ? 'wrong' : ''}`}>{table.clock_offset_ms === null || table.clock_offset_ms === undefined ? '–' : `${table.clock_offset_ms} ms`}</td>
                  <td class="r num">{table.open_incidents > 0 ? <a class="open-at" href={`/queue?table=${encodeURIComponent(table.table)}`}>{table.worst_priority && <Badge priority={table.worst_priority} />}{count(table.open_incidents)}</a> : '0'}</td>
                  <td>{table.round ? <RoundLink id={table.round} /> : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
