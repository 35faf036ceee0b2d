// From a name to its page: a round, a table, an incident, a dealer, a question.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { get } from '../base/api';
import { useKeys } from '../base/hooks';
import { incidents, tables, version } from '../base/live';
import { words } from '../base/money';
import { go, params, put } from '../base/router';
import type { QueryInfo } from '../base/types';
import { Head } from '../parts/bits';
import { may, PLACES } from './places';

interface Hit { to: string; what: string; name: string; more?: string }

export function Find() {
  const q = (params.value.get('q') ?? '').trim();
  const [queries, setQueries] = useState<QueryInfo[]>([]);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    get<QueryInfo[]>('/queries').then(setQueries, () => undefined);
  }, []);
  const hits = useMemo(() => find(q, queries), [q, queries, version.value]);
  const open = () => hits[at] !== undefined && go(hits[at].to);
  useKeys('find', [
    { keys: ['j', 'ArrowDown'], does: 'Next', group: 'Find', run: () => setAt(Math.min(hits.length - 1, at + 1)), repeats: true },
    { keys: ['k', 'ArrowUp'], does: 'Previous', group: 'Find', run: () => setAt(Math.max(0, at - 1)), repeats: true },
    { keys: ['Enter'], does: 'Open', group: 'Find', run: open },
  ]);
  return (
    <div class="page narrow">
      <Head title="Find" />
      <input
        ref={input} class="big" type="search" aria-label="A round, table, dealer, patron, code or question" placeholder="A round, table, dealer, patron, code or question" value={params.value.get('q') ?? ''}
        onInput={(event) => { setAt(0); put({ q: event.currentTarget.value }); }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Enter') open();
          else if (event.key === 'ArrowDown') setAt(Math.min(hits.length - 1, at + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
          else return;
          event.preventDefault();
        }}
      />
      <ul class="hits">{hits.map((hit, index) => (
        <li key={hit.to + hit.what} class={index === at ? 'focused' : ''}><a href={hit.to}><small class="faint">{hit.what}</small> <b>{hit.name}</b> {hit.more && <span class="faint">{hit.more}</span>}</a></li>
      ))}</ul>
      {q !== '' && hits.length === 0 && <p class="faint">Nothing here has that name. What is not open or live is in the archive: ask for it under Rounds or Ask.</p>}
    </div>
  );
}

function find(q: string, queries: QueryInfo[]): Hit[] {
  if (q === '') return [];
  const low = q.toLowerCase();
  const has = (...texts: (string | null | undefined)[]) => texts.some((text) => text?.toLowerCase().includes(low));
  const hits: Hit[] = [];
  if (/-\d{3,}/.test(q)) hits.push({ to: `/rounds/${encodeURIComponent(q)}`, what: 'Round', name: q });
  for (const table of tables.values()) if (has(table.table)) hits.push({ to: `/rounds?table=${encodeURIComponent(table.table)}`, what: 'Table', name: table.table, more: words(table.game) });
  const dealers = new Set([...tables.values()].map((table) => table.dealer).filter((dealer) => has(dealer)));
  for (const dealer of dealers) hits.push({ to: `/people/dealer/${encodeURIComponent(dealer ?? '')}`, what: 'Dealer', name: dealer ?? '' });
  const name = encodeURIComponent(q);
  // What is not live is known to the archive by its whole name alone.
  if (/^d-\w/i.test(q) && !dealers.has(q)) hits.push({ to: `/people/dealer/${name}`, what: 'Dealer', name: q, more: 'in the archive' });
  if (/^p-\w/i.test(q)) hits.push({ to: `/people/patron/${name}`, what: 'Patron', name: q, more: 'in the archive' });
  if (/^(deck|set|dice|tiles|wheel|shoe)-?\w/i.test(q)) hits.push({ to: `/sets/${name}`, what: 'Set', name: q, more: 'its custody in the archive' });
  for (const place of PLACES) if (may(place) && has(place.name)) hits.push({ to: place.to, what: 'Page', name: place.name });
  for (const query of queries) if (has(query.name, query.about)) hits.push({ to: `/ask/${query.name}`, what: 'Question', name: query.title ?? words(query.name), more: query.about });
  for (const incident of incidents.values()) {
    if (hits.length > 30) break;
    if (has(incident.headline, incident.round, incident.dealer, incident.player, ...incident.codes)) hits.push({ to: `/queue/${incident.id}`, what: 'Incident', name: incident.table, more: incident.headline });
  }
  return hits.slice(0, 30);
}
