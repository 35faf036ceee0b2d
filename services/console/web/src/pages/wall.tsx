// For the wall of a room: read from five metres, never touched.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { floorVersion, hasSnapshot, incidents, openAt, silence, tables, version } from '../base/live';
import { count, words } from '../base/money';
import { age, span, tick } from '../base/time';
import type { Incident } from '../base/types';
import { Badge, Empty, Loss } from '../parts/bits';
import { sorted } from './order';

/** How many lines a list has room for: a wall is not scrolled. */
function useRoom(some: boolean): [RefObject<HTMLElement | null>, number] {
  const box = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(8);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const line = element.querySelector('li')?.getBoundingClientRect().height ?? 0;
      const list = element.querySelector('ol')?.getBoundingClientRect().top ?? 0;
      // A line is left for how many more there are.
      if (line > 0) setRoom(Math.max(1, Math.floor((element.getBoundingClientRect().bottom - list) / line) - 1));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [some]);
  return [box, room];
}

export function Wall() {
  void version.value;
  void floorVersion.value;
  void tick.value;
  const open = [...incidents.values()].filter((incident) => incident.status === 'open');
  const pressing = sorted(open.filter((incident) => incident.priority <= 2 && !incident.acknowledged)).map((id) => incidents.get(id)).filter((found): found is Incident => found !== undefined);
  const [box, room] = useRoom(pressing.length > 0);
  const counted = [...tables.entries()].map(([key, table]) => ({ ...table, open_incidents: openAt.value.get(key)?.count ?? 0, worst_priority: openAt.value.get(key)?.worst ?? null }));
  const floor = counted.filter((table) => table.open).sort((a, b) => a.table.localeCompare(b.table, 'en', { numeric: true }));
  return (
    <div class="wall">
      <section class="wall-counts" aria-label="Open incidents">
        {[1, 2, 3, 4].map((priority) => {
          const of = open.filter((incident) => incident.priority === priority);
          return <div key={priority} class={`tile-count p${priority}`}><Badge priority={priority} /><b class="num">{count(of.length)}</b><span>{count(of.filter((incident) => !incident.acknowledged).length)} not taken up</span></div>;
        })}
      </section>
      <section class="wall-list" aria-label="Not taken up" ref={box}>
        <h1>Not taken up</h1>
        {!hasSnapshot.value ? <div class="loading">Reading…</div> : pressing.length === 0 ? <Empty title="Everything of priority 1 and 2 is taken up." /> : (
          <ol>{pressing.slice(0, room).map((incident) => (
            <li key={incident.id}><Badge priority={incident.priority} /><b>{incident.table}</b><span class="headline">{incident.headline}</span><Loss cents={incident.exposure_cents} /><span class="num">{age(incident.heard ?? incident.began)}</span></li>
          ))}</ol>
        )}
        {pressing.length > room && <p class="faint" data-more>and {count(pressing.length - room)} more</p>}
      </section>
      <section class="wall-floor" aria-label="Tables">
        <h1>Floor</h1>
        {hasSnapshot.value && floor.length === 0 && <p class="faint">No table is open.</p>}
        <ul>{floor.map((table) => (
          <li key={`${table.property} ${table.table}`} class={`${table.silent ? 'silent' : ''} ${table.worst_priority ? `w${table.worst_priority}` : ''}`} data-table={table.table}>
            <b>{table.table}</b><small>{words(table.game)}</small>
            <span class="num">{table.silent ? `silent ${span(silence(table))}` : table.open_incidents > 0 ? `${count(table.open_incidents)} open` : `${Math.round(table.rounds_per_hour ?? 0)}/h`}</span>
          </li>
        ))}</ul>
      </section>
    </div>
  );
}
