// What each wager of a game is worth, by the engine that settles it.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';

import { get, query } from '../base/api';
import { useLoaded } from '../base/hooks';
import { words } from '../base/money';
import { go, params } from '../base/router';
import type { OddsSheet } from '../base/types';
import { Await, Empty, Head } from '../parts/bits';
import type { Games } from './rules';

export function Odds({ game }: { game: string }) {
  const [all, again] = useLoaded('rules', () => get<Games>('/rules'));
  return (
    <div class="page ask">
      <Await of={all} again={again}>
        {({ games }) => {
          const known = games.find((one) => one.game === game);
          return (
            <div class="ask-two">
              <nav class="questions" aria-label="Games">
                <h1>Odds</h1>
                <ul>{games.map((one) => <li key={one.game}><a href={`/odds/${one.game}`} aria-current={one.game === game ? 'page' : undefined}><b>{one.title}</b></a></li>)}</ul>
              </nav>
              <section>{known === undefined
                ? <Empty title={game === '' ? 'Choose a game.' : `There is no game “${game}”.`}>{game === '' ? 'Probabilities, house edge and deviation of every wager, by settling all that can happen.' : ''}</Empty>
                : <SheetOf key={game} game={known} />}</section>
            </div>
          );
        }}
      </Await>
    </div>
  );
}

function SheetOf({ game }: { game: Games['games'][number] }) {
  const at = params.value;
  const edition = at.get('edition') ?? game.editions[0] ?? '';
  const options = at.get('options') ?? '';
  const path = `/odds/${encodeURIComponent(game.game)}${query({ edition, options })}`;
  const [sheet, again] = useLoaded(path, () => get<OddsSheet>(path));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    go(`/odds/${game.game}${query({ edition: String(data.get('edition') ?? ''), options: String(data.get('options') ?? '').trim() })}`);
  };
  return (
    <>
      <Head title={game.title}><p class="sub">Every figure is made by the settlement that re-settles the floor. <a href={`/rules/${edition}/${game.game}`}>The rules</a></p></Head>
      <form class="asks" onSubmit={submit} key={path}>
        <label>Edition<select name="edition" defaultValue={edition}>{game.editions.map((name) => <option key={name} selected={name === edition}>{name}</option>)}</select></label>
        <label class="wide">Options that the table posts, as JSON; the rest is the default<input name="options" defaultValue={options} placeholder={'{"decks":6}'} autoComplete="off" spellcheck={false} /></label>
        <button class="main">Count</button>
      </form>
      <Await of={sheet} again={again}>{(found) => <Lines sheet={found} />}</Await>
    </>
  );
}

function Lines({ sheet }: { sheet: OddsSheet }) {
  const [open, setOpen] = useState<number | null>(null);
  const computed = sheet.lines.map((line, index) => ({ ...line, index })).filter((line) => line.shown !== undefined);
  const rest = sheet.lines.filter((line) => line.shown === undefined);
  const name = (line: OddsSheet['lines'][number]) => words(line.wager) + (line.on?.length ? (line.on.length > 8 ? `, each of ${line.on.length}` : ` ${line.on.join(', ')}`) : '');
  return (
    <div data-odds={sheet.game}>
      {sheet.violations.length > 0 && <p class="wrong" role="alert">The rules object to a table with these options: {sheet.violations.join(', ')}</p>}
      {computed.length === 0 ? <Empty title="No wager of this game is enumerated.">What stands below says why.</Empty> : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Wagers">
          <table class="list">
            <thead><tr><th>Wager</th><th class="r">Wins</th><th class="r">Pushes</th><th class="r">House edge</th><th class="r" title="What the house keeps of all that is staked, where a wager can be raised">Risk</th><th class="r" title="Standard deviation, in first stakes">Deviation</th><th>Basis</th></tr></thead>
            <tbody>{computed.map((line) => (
              <Fragment key={line.index}>
                <tr>
                  <td><button class="plain" aria-expanded={open === line.index} onClick={() => setOpen(open === line.index ? null : line.index)}>{open === line.index ? '▾' : '▸'} {name(line)}</button></td>
                  <td class="r num">{line.shown?.win}</td><td class="r num">{line.shown?.push}</td><td class="r num"><b>{line.shown?.house_edge}</b></td><td class="r num">{line.shown?.element_of_risk ?? '–'}</td><td class="r num">{line.shown?.standard_deviation}</td>
                  <td>{line.basis_words}{line.note && <small class="faint"> {line.note}</small>}</td>
                </tr>
                {open === line.index && (
                  <tr class="outcomes"><td colSpan={7}>
                    <table class="list"><thead><tr><th>Result</th><th>By</th><th class="r">Gains</th><th class="r">Probability</th><th class="r">Exactly</th></tr></thead>
                      <tbody>{line.shown?.rows.map((row, index) => <tr key={index}><td>{row.result}</td><td>{row.rows.map(words).join(', ') || '–'}</td><td class="r num">{row.gains}</td><td class="r num">{row.probability}</td><td class="r num faint">{row.exact.length > 40 ? `${row.exact.slice(0, 38)}…` : row.exact}</td></tr>)}</tbody></table>
                  </td></tr>
                )}
              </Fragment>
            ))}</tbody>
          </table>
        </div>
      )}
      {rest.length > 0 && <section class="part"><h2>Without figures</h2><table class="list short"><tbody>{rest.map((line, index) => <tr key={index}><td>{name(line)}</td><td class="faint">{line.basis_words}</td></tr>)}</tbody></table></section>}
      <p class="faint foot">Options {JSON.stringify(sheet.options)} · rules {sheet.rules}</p>
    </div>
  );
}
