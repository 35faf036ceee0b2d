// What goes to paper: everything is there, nothing is left to scrolling, and each sheet says what it was made from.
import { get, query, session } from '../base/api';
import { useLoaded } from '../base/hooks';
import { count, dollars, words } from '../base/money';
import { params } from '../base/router';
import { fromHouse, moment, now } from '../base/time';
import type { Incident, RoundRow } from '../base/types';
import { Await, Empty, versionOf } from '../parts/bits';
import { Drawn } from '../replay/draw';
import { sentence } from '../replay/words';
import { Due, read, RoundHead } from './round';
import { underOnPaper } from './under';

export function Print({ what, id }: { what: string; id: string }) {
  if (what === 'round') return <PrintRound id={id} />;
  if (what === 'rounds') return <PrintRounds />;
  if (what === 'queue') return <PrintQueue />;
  return <main class="paper" id="main"><Empty title="There is nothing to print here.">A round, rounds and the queue can be printed; every other page prints as it is.</Empty></main>;
}

/** A table whose head and foot stand on every sheet. */
function Sheets({ title, head, foot, rows }: { title: string; head: [string, boolean?][]; foot: string; rows: (string | number)[][] }) {
  return (
    <>
      <h1>{title}</h1>
      <table class="list sheets">
        <thead><tr class="of"><td colSpan={head.length}>{[title, session.value?.house.name].filter(Boolean).join(' · ')}</td></tr><tr>{head.map(([name, right]) => <th key={name} class={right ? 'r' : ''}>{name}</th>)}</tr></thead>
        <tfoot><tr><td colSpan={head.length}>{foot} · printed {moment(now())} by {session.value?.user.id}{underOnPaper()}</td></tr></tfoot>
        <tbody>{rows.map((row, index) => <tr key={index}>{row.map((cell, at) => <td key={at} class={head[at]?.[1] ? 'r num' : ''}>{cell}</td>)}</tr>)}</tbody>
      </table>
      {rows.length === 0 && <p>No row is as was asked.</p>}
    </>
  );
}

const ROUND_FILTERS = ['table', 'dealer', 'player', 'set'] as const;

function PrintRounds() {
  const at = params.value;
  const wanted = Object.fromEntries(ROUND_FILTERS.map((name) => [name, at.get(name) ?? '']));
  const path = `/rounds${query({ ...wanted, since: fromHouse(at.get('since') ?? ''), until: fromHouse(at.get('until') ?? ''), limit: 1000 })}`;
  const [loaded, again] = useLoaded(path, () => get<{ version: unknown; rounds: RoundRow[]; more: boolean }>(path));
  const filter = [...at].map(([name, value]) => `${name} ${value}`).join(', ') || 'all';
  return (
    <main class="paper wide-paper" id="main">
      <Await of={loaded} again={again}>{({ rounds, more, version }) => (
        <Sheets
          title={`Rounds: ${filter}; ${count(rounds.length)}${more ? ', the last of more' : ''}`}
          head={[['Round'], ['Ended'], ['Table'], ['Game'], ['Dealer'], ['Wagers', true], ['Staked', true], ['Due', true], ['Given', true], ['Difference', true], ['Judged']]}
          foot={`Archive ${versionOf(version)} · rules ${[...new Set(rounds.map((round) => round.rules?.slice(0, 12)).filter(Boolean))].join(' ') || 'none'}`}
          rows={rounds.map((round) => [round.round, moment(round.closed_at), round.table_id, words(round.game), round.dealer ?? '–', round.wagers, dollars(round.staked_cents), dollars(round.returned_cents), dollars(round.given_cents), dollars(round.difference_cents), round.voided ? 'void' : !round.complete ? 'events missing' : round.rules ? 'yes' : 'no'])}
        />
      )}</Await>
    </main>
  );
}

/** All that is open, whatever a screen has room for. */
function PrintQueue() {
  const [loaded, again] = useLoaded('print queue', () => get<{ incidents: Incident[]; more: boolean; offset: number; generation: string }>('/incidents?status=open&limit=20000'));
  return (
    <main class="paper wide-paper" id="main">
      <Await of={loaded} again={again}>{({ incidents, more, offset, generation }) => (
        <Sheets
          title={`Open incidents: ${count(incidents.length)}${more ? ', the most pressing of more' : ''}`}
          head={[['Priority', true], ['Since'], ['Table'], ['Dealer'], ['What'], ['Findings', true], ['Lost', true], ['Held by']]}
          foot={`As of ${generation} at ${count(offset)}`}
          rows={incidents.map((one) => [one.priority, moment(one.began), one.table, one.dealer ?? '–', one.headline, one.count, one.exposure_cents === 0 ? '–' : dollars(one.exposure_cents), one.held?.by ?? (one.acknowledged ? 'acknowledged' : '–')])}
        />
      )}</Await>
    </main>
  );
}

function PrintRound({ id }: { id: string }) {
  const [loaded, again] = useLoaded(id, () => read(id));
  return (
    <main class="paper" id="main">
      <Await of={loaded} again={again}>
        {(found) => {
          const { model, story } = found;
          const step = Math.min(model.steps.length, Number(params.value.get('step') ?? model.steps.length));
          const said = model.steps[step - 1];
          return (
            <>
              <RoundHead id={id} read={found} />
              <Drawn round={model} step={step} />
              <p>Step {step} of {model.steps.length}{said && `: ${sentence(said.event.body)}`}</p>
              <Due wagers={story.wagers} model={model} />
              {model.findings.length > 0 && (
                <section><h2>Findings</h2><ul>{model.findings.map((finding) => <li key={finding.id}><code>{finding.code}</code> {finding.message} <span class="cites">{finding.cites.join('; ')}</span></li>)}</ul></section>
              )}
              <section>
                <h2>Steps</h2>
                <ol class="steps-paper">{model.steps.map((known) => <li key={known.seq} class={known.findings.length > 0 ? 'faulty' : ''}><span class="num">{known.seq}</span> <span class="num">{moment(known.at)}</span> {sentence(known.event.body)}</li>)}</ol>
              </section>
              <footer>Archive {versionOf(story.version)} · rules {story.round?.rules ?? 'none'} · printed {moment(now())} by {session.value?.user.id}{underOnPaper()}</footer>
            </>
          );
        }}
      </Await>
    </main>
  );
}
