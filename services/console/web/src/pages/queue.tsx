// The queue: list, incident and replay side by side, worked by single keys.
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { get, session } from '../base/api';
import { act, actOnAll, done, failures, foreseen, forgive, notice, pending, type DeedName } from '../base/acts';
import { useKeys } from '../base/hooks';
import { hasSnapshot, incidents, isArriving, take, version } from '../base/live';
import { count, words } from '../base/money';
import { go, params, put } from '../base/router';
import { age, now, tick } from '../base/time';
import type { Incident } from '../base/types';
import { Badge, Brief, Empty, Kbd, Loss } from '../parts/bits';
import { Rows } from '../parts/rows';
import { DeedDialog } from './deeds';
import { Detail } from './incident';
import { after, EMPTY, filterOf, FILTERS, fresh, matches, type Order } from './order';

const PAGE = 10;

export function Queue({ chosen }: { chosen: string }) {
  const order = useSignal<Order>(EMPTY);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<{ deed: DeedName; of: string[] } | null>(null);
  const focused = chosen === '' ? null : chosen;
  const me = session.value?.user.id ?? '';
  const filter = useMemo(() => filterOf(params.value), [params.value]);
  const filterKey = JSON.stringify(filter);
  const open = () => [...incidents.values()].filter((incident) => incident.status === 'open' && matches(incident, filter, me));
  const arranged = useRef('');
  const partial = useRef(true);

  const arrange = () => {
    order.value = fresh(open());
    selected.value = new Set([...selected.value].filter((id) => incidents.get(id)?.status === 'open'));
  };
  useLayoutEffect(() => {
    if (!hasSnapshot.value) return;
    if (arranged.current !== filterKey || partial.current) {
      arranged.current = filterKey;
      // What comes of the snapshot later is less pressing: it goes below.
      partial.current = isArriving.value;
      arrange();
    } else {
      order.value = after(order.value, open(), focused);
    }
  }, [version.value, filterKey, hasSnapshot.value]);

  const rows = useComputed(() => [...order.value.lane, ...order.value.list]);
  const focus = (id: string) => go(`/queue/${encodeURIComponent(id)}${location.search}`, true);
  const move = (by: number) => {
    const all = rows.value;
    if (all.length === 0) return;
    const at = focused === null ? -1 : all.indexOf(focused);
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    const id = all[next];
    if (id !== undefined) focus(id);
  };
  const to = (index: number) => {
    const id = rows.value.at(index);
    if (id !== undefined) focus(id);
  };
  const current = focused === null ? undefined : incidents.get(focused);

  /** A deed on what is selected, or on the focused row where nothing is. */
  const subjects = (): string[] => (selected.value.size > 0 ? [...selected.value] : focused === null ? [] : [focused]);
  const plain = (deed: DeedName) => {
    const chosenOnes = subjects().map((id) => incidents.get(id)).filter((found): found is Incident => found !== undefined);
    if (chosenOnes.length === 1 && chosenOnes[0] !== undefined) void act(chosenOnes[0], { deed });
    else if (chosenOnes.length > 1) void actOnAll(chosenOnes, { deed });
  };
  const asked = (deed: DeedName) => {
    const of = subjects();
    if (of.length > 0) setDialog({ deed, of });
  };
  const claim = () => {
    const held = current?.held?.by === me && selected.value.size === 0;
    plain(held ? 'release' : 'claim');
  };
  const undo = () => {
    const last = done().at(-1);
    if (last === undefined) {
      notice.value = 'There is nothing of yours to undo.';
      return;
    }
    const incident = incidents.get(last.incident);
    notice.value = `Undoing ${words(last.deed)}${incident ? ` at ${incident.table}` : ''}`;
    void undoOne(last.incident, last.act).then((back) => {
      notice.value = back ? `Undone: ${words(last.deed)}` : 'It could not be undone: see its row.';
      bringBack(last.incident);
    });
  };
  const bringBack = (id: string) => {
    if (!rows.value.includes(id)) order.value = { ...order.value, list: [id, ...order.value.list] };
    focus(id);
  };
  const toggle = () => {
    if (focused === null) return;
    const next = new Set(selected.value);
    if (!next.delete(focused)) next.add(focused);
    selected.value = next;
  };
  const all = () => {
    selected.value = selected.value.size > 0 ? new Set() : new Set(rows.value.filter((id) => incidents.get(id)?.status === 'open'));
  };
  const nextFree = () => {
    const list = rows.value;
    const at = focused === null ? -1 : list.indexOf(focused);
    const found = [...list.slice(at + 1), ...list.slice(0, at + 1)].find((id) => {
      const incident = incidents.get(id);
      return incident?.status === 'open' && !incident.acknowledged && !incident.held;
    });
    if (found !== undefined) focus(found);
  };

  useKeys('queue', [
    { keys: ['j', 'ArrowDown'], does: 'Next incident', group: 'Queue', run: () => move(1), repeats: true },
    { keys: ['k', 'ArrowUp'], does: 'Previous incident', group: 'Queue', run: () => move(-1), repeats: true },
    { keys: ['PageDown'], does: 'Ten on', group: 'Queue', run: () => move(PAGE), repeats: true },
    { keys: ['PageUp'], does: 'Ten back', group: 'Queue', run: () => move(-PAGE), repeats: true },
    { keys: ['Home'], does: 'First', group: 'Queue', run: () => to(0) },
    { keys: ['End'], does: 'Last', group: 'Queue', run: () => to(-1) },
    { keys: ['b'], does: 'Next that nobody has taken up', group: 'Queue', run: nextFree },
    { keys: ['.'], does: 'Show what arrived', group: 'Queue', run: arrange },
    { keys: ['x'], does: 'Select, or not', group: 'Queue', run: toggle },
    { keys: ['z'], does: 'Select all, or none', group: 'Queue', run: all },
    { keys: ['f'], does: 'Filter', group: 'Queue', run: () => document.getElementById('filter-q')?.focus() },
    { keys: ['c'], does: 'Claim, or release', group: 'Incident', run: claim },
    { keys: ['a'], does: 'Acknowledge', group: 'Incident', run: () => plain('acknowledge') },
    { keys: ['s'], does: 'Assign', group: 'Incident', run: () => asked('assign') },
    { keys: ['e'], does: 'Escalate', group: 'Incident', run: () => asked('escalate') },
    { keys: ['d'], does: 'Dispose, with a reason', group: 'Incident', run: () => asked('dispose') },
    { keys: ['m'], does: 'Note', group: 'Incident', run: () => asked('note') },
    { keys: ['u'], does: 'Undo my last act', group: 'Incident', run: undo },
    { keys: ['o', 'Enter'], does: 'Open the round', group: 'Incident', run: () => current?.round && go(`/rounds/${encodeURIComponent(current.round)}`) },
    { keys: ['Escape'], does: 'Nothing selected', group: 'Queue', run: () => { selected.value = new Set(); notice.value = ''; if (focused !== null) forgive(focused); } },
  ]);

  const row = (id: string) => <Row key={id} id={id} isSelected={selected.value.has(id)} />;
  const { lane, list, waiting, over } = order.value;
  void version.value;
  const counts = tally();
  return (
    <div class="queue">
      <section class="queue-list" aria-label="Incidents">
        <Filters counts={counts} shown={lane.length + list.length} />
        <div class="lane" data-count={lane.length}>
          <h2>Priority 1{lane.length > 0 && ` · ${count(lane.length)}`}</h2>
          {lane.length === 0
            ? <p class="faint">None waits to be taken up.</p>
            : <Rows name="l" label="Priority 1" class="pinned" ids={lane} focused={focused} selected={selected.value} row={row} onFocus={focus} most={14} />}
        </div>
        <div class="arrivals">
          <button class={waiting.length > 0 ? 'main' : ''} disabled={waiting.length === 0 && over === 0} onClick={arrange} data-waiting={waiting.length}>
            {waiting.length > 0 ? `Show ${count(waiting.length)} new` : over > 0 ? `Clear ${count(over)} closed` : 'Nothing new'} <Kbd>.</Kbd>
          </button>
          <span class="grow">{selected.value.size > 0 ? `${count(selected.value.size)} selected` : ''}</span>
          <span role="status" class="notice">{notice.value}</span>
        </div>
        {!hasSnapshot.value
          ? <div class="loading">Reading the queue…</div>
          : lane.length + list.length === 0
            ? <Empty title={Object.values(filter).some(Boolean) ? 'No open incident matches the filter.' : 'No open incident.'}>
                {Object.values(filter).some(Boolean) ? <a href="/queue">Without the filter</a> : 'Incidents appear here as the floor makes them.'}
              </Empty>
            : <Rows name="r" label="Open incidents" ids={list} focused={focused} selected={selected.value} row={row} onFocus={focus} takesFocus />}
      </section>
      {focused === null
        ? <section class="queue-rest"><Empty title="No incident is chosen.">Press <Kbd>j</Kbd> for the first.</Empty></section>
        : <Detail key={focused} id={focused} onDeed={(deed) => (deed === 'claim' ? claim() : deed === 'acknowledge' ? plain(deed) : deed === 'undo' ? undo() : asked(deed))} />}
      {dialog !== null && <DeedDialog deed={dialog.deed} of={dialog.of} onClose={() => setDialog(null)} />}
    </div>
  );
}

async function undoOne(id: string, of: string): Promise<boolean> {
  const known = incidents.get(id);
  // What is to be undone rests on what the incident is now, which this tab may not have.
  const latest = await get<{ incident: Incident }>(`/incidents/${encodeURIComponent(id)}`).then((found) => found.incident, () => known);
  if (latest === undefined) return false;
  take(latest);
  return act(latest, { deed: 'undo', undoes: of });
}

function tally(): number[] {
  const by = [0, 0, 0, 0];
  for (const incident of incidents.values()) if (incident.status === 'open') by[incident.priority - 1] = (by[incident.priority - 1] ?? 0) + 1;
  return by;
}

function Filters({ counts, shown }: { counts: number[]; shown: number }) {
  const at = params.value;
  const some = FILTERS.some((name) => at.get(name));
  return (
    <div class="filters" role="search">
      {counts.map((number, index) => {
        const priority = String(index + 1);
        const on = at.get('priority') === priority;
        return (
          <button key={priority} class="count" aria-pressed={on} data-count={number} onClick={() => put({ priority: on ? null : priority })}>
            <Badge priority={index + 1} /><span class="num">{count(number)}</span>
          </button>
        );
      })}
      <input
        id="filter-q" type="search" placeholder="Filter" title="Table, dealer, code, words" aria-label="Filter" value={at.get('q') ?? ''}
        onInput={(event) => put({ q: event.currentTarget.value })}
        onKeyDown={(event) => { if (event.key === 'Enter' || event.key === 'Escape') document.querySelector<HTMLElement>('.queue-list .rows:not(.pinned)')?.focus(); }}
      />
      <select aria-label="Which" value={at.get('show') ?? ''} onChange={(event) => put({ show: event.currentTarget.value })}>
        <option value="">All</option><option value="new">Unacknowledged</option><option value="free">Unclaimed</option><option value="mine">Mine</option>
      </select>
      {FILTERS.filter((name) => !['priority', 'q', 'show'].includes(name) && at.get(name)).map((name) => (
        <button key={name} class="chip" onClick={() => put({ [name]: null })}>{name}: {at.get(name)} ✕</button>
      ))}
      {some && <button class="plain" onClick={() => put(Object.fromEntries(FILTERS.map((name) => [name, null])))}>Clear</button>}
      <span class="faint num shown">{count(shown)} shown · <a href="/print/queue" target="_blank">print</a></span>
    </div>
  );
}

function Row({ id, isSelected }: { id: string; isSelected: boolean }) {
  void version.value;
  void tick.value;
  const known = incidents.get(id);
  if (known === undefined) return <span class="faint gone">This incident is closed.</span>;
  const incident = foreseen(known);
  const failure = failures.value.get(id);
  const busy = pending.value.has(id);
  const closed = incident.status !== 'open';
  const late = !incident.acknowledged && incident.due_by && Date.parse(incident.due_by) < now();
  return (
    <div class={`item${closed ? ' closed' : ''}${busy ? ' busy' : ''}${late ? ' late' : ''}`} data-incident={id} data-revision={incident.revision}>
      <span class="tick" aria-hidden="true">{isSelected ? '☑' : ''}</span>
      <Badge priority={incident.priority} />
      <div class="what">
        <div class="line headline">{incident.headline}</div>
        <div class="line small faint under">
          <b>{incident.table}</b> <Brief at={incident.last} />
          {incident.dealer && <span class="dealer">{incident.dealer}</span>}
          {incident.count > 1 && <span class="num">×{count(incident.count)}</span>}
          {failure
            ? <span class="wrong" role="alert">{words(failure.deed)} failed: {failure.why}</span>
            : <State incident={incident} busy={busy} />}
          <span class="grow" />
          {incident.exposure_cents !== 0 && <Loss cents={incident.exposure_cents} />}
        </div>
      </div>
    </div>
  );
}

function State({ incident, busy }: { incident: Incident; busy: boolean }) {
  const me = session.value?.user.id;
  if (busy) return <span class="state">…</span>;
  if (incident.status === 'disposed') return <span class="state">disposed: {words(incident.disposal?.verdict ?? '')}</span>;
  if (incident.status === 'resolved') return <span class="state">resolved by itself</span>;
  if (incident.held) return <span class={`state held${incident.held.by === me ? ' mine' : ''}`}>{incident.held.by === me ? 'mine' : incident.held.by} · {age(incident.held.since)}</span>;
  if (incident.acknowledged) return <span class="state">acknowledged</span>;
  return <span class="state new">new · {age(incident.heard ?? incident.began)}</span>;
}
