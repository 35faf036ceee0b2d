// Rounds by table, time, dealer, patron and set.
import { useState } from 'preact/hooks';

import { get, query } from '../base/api';
import { useLoaded } from '../base/hooks';
import { floorVersion, tables } from '../base/live';
import { count, words } from '../base/money';
import { params, put } from '../base/router';
import { fromHouse, zone } from '../base/time';
import type { RoundRow } from '../base/types';
import { Await, Brief, Empty, Head, Money, RoundLink } from '../parts/bits';

const FIELDS = ['table', 'since', 'until', 'dealer', 'player', 'set'] as const;
const NAMES: Record<string, string> = { table: 'Table', since: 'From', until: 'Until', dealer: 'Dealer', player: 'Patron', set: 'Card set' };

export function Rounds() {
  void floorVersion.value;
  const at = params.value;
  const wanted = Object.fromEntries(FIELDS.map((name) => [name, at.get(name) ?? '']));
  const [only, setOnly] = useState(false);
  const path = `/rounds${query({ ...wanted, since: fromHouse(wanted.since ?? ''), until: fromHouse(wanted.until ?? ''), limit: 500 })}`;
  const [loaded, again] = useLoaded(path, () => get<{ version: unknown; rounds: RoundRow[]; more: boolean }>(path));
  const known = [...new Set([...tables.values()].map((table) => table.table))].sort();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    put(Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '').trim()])), false);
  };
  return (
    <div class="page">
      <Head title="Rounds" />
      <form class="asks" onSubmit={submit} key={at.toString()}>
        {FIELDS.map((name) => (
          <label key={name}>{NAMES[name]}
            <input name={name} type={name === 'since' || name === 'until' ? 'datetime-local' : 'text'} step="1" defaultValue={wanted[name]} list={name === 'table' ? 'tables' : undefined} autoComplete="off" />
          </label>
        ))}
        <datalist id="tables">{known.map((table) => <option key={table} value={table} />)}</datalist>
        <button class="main">Look up</button>
        <span class="faint">Times are the house’s ({zone.value}).</span>
        <a href={`/print/rounds${query(wanted)}`} target="_blank" rel="opener">Print</a>
      </form>
      <Await of={loaded} again={again}>
        {({ rounds, more }) => {
          const shown = only ? rounds.filter((round) => (round.difference_cents ?? 0) !== 0 || !round.complete || round.rules === null || (round.findings ?? 0) > 0) : rounds;
          if (rounds.length === 0) return <Empty title="The archive has no such round.">Either there was none, or it is not archived yet: look at the archive’s lag on the Health page.</Empty>;
          return (
            <>
              <p class="faint">
                {count(shown.length)} rounds{more && ', and there are more: ask for less'} · <label class="inline"><input type="checkbox" checked={only} onChange={() => setOnly(!only)} /> only what is not as the rules say, or not judged</label>
              </p>
              <div class="scroll" tabIndex={0} role="region" aria-label="Rounds">
                <table class="list">
                  <thead><tr><th>Round</th><th>Ended</th><th>Table</th><th>Game</th><th>Dealer</th><th class="r">Wagers</th><th class="r">Staked</th><th class="r">Due</th><th class="r">Given</th><th class="r">Difference</th><th>Judged</th></tr></thead>
                  <tbody>
                    {shown.map((round) => (
                      <tr key={`${round.property} ${round.round}`} class={round.difference_cents ? 'wrong-row' : ''}>
                        <td><RoundLink id={round.round} /></td><td><Brief at={round.closed_at} /></td><td>{round.table_id}</td><td>{words(round.game)}</td><td>{round.dealer ? <a href={`/people/dealer/${encodeURIComponent(round.dealer)}`}>{round.dealer}</a> : '–'}</td>
                        <td class="r num">{round.wagers}</td><td class="r"><Money cents={round.staked_cents} /></td><td class="r"><Money cents={round.returned_cents} /></td><td class="r"><Money cents={round.given_cents} /></td>
                        <td class="r">{round.difference_cents ? <Money cents={round.difference_cents} signed /> : round.difference_cents === 0 ? '0' : '–'}</td>
                        <td>{round.voided ? 'void' : !round.complete ? 'events missing' : round.rules ? 'yes' : 'no'}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          );
        }}
      </Await>
    </div>
  );
}
