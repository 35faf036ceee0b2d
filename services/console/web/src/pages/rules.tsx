// The rulebook to read: editions side by side, differences marked.
import { get } from '../base/api';
import { useLoaded } from '../base/hooks';
import { words } from '../base/money';
import type { Book } from '../base/types';
import { go, params } from '../base/router';
import { Await, Empty, Head } from '../parts/bits';
import { Compared } from './compare';
import { citeOf, holds, oddsOf } from '../replay/rule';

export interface Games { games: { game: string; title: string; editions: string[]; hash: string }[]; hash: string }

export function Rules({ edition, game }: { edition: string; game: string }) {
  const [all, again] = useLoaded('rules', () => get<Games>('/rules'));
  return (
    <div class="page ask">
      <Await of={all} again={again}>
        {({ games, hash }) => {
          const editions = [...new Set(games.flatMap((known) => known.editions))].sort();
          const chosen = editions.includes(edition) ? edition : '';
          return (
            <div class="ask-two">
              <nav class="questions" aria-label="Games">
                <h1>Rules</h1>
                <div class="tools">{editions.map((name) => <a key={name} class="chip" aria-current={name === chosen ? 'true' : undefined} href={`/rules/${name}${game ? `/${game}` : ''}`}>{name}</a>)}<a class="chip" href={`/rules/all${game ? `/${game}` : ''}`} aria-current={chosen === '' ? 'true' : undefined}>all</a></div>
                <ul>{games.filter((known) => chosen === '' || known.editions.includes(chosen)).map((known) => (
                  <li key={known.game}><a href={`/rules/${chosen || 'all'}/${known.game}`} aria-current={known.game === game ? 'page' : undefined}><b>{known.title}</b><small class="faint">{known.editions.join(', ')}</small></a></li>
                ))}</ul>
                <p class="faint foot">rulebook <span class="num">{hash.slice(0, 12)}</span></p>
              </nav>
              <section>{game === '' ? <Empty title="Choose a game.">Pay tables, options, figures and findings, each with the section that says so.</Empty> : <Game key={game} game={game} edition={chosen} />}</section>
            </div>
          );
        }}
      </Await>
    </div>
  );
}

function Game({ game, edition }: { game: string; edition: string }) {
  const [book, again] = useLoaded(game, () => get<Book>(`/rules/${encodeURIComponent(game)}`));
  const other = params.value.get('with') ?? '';
  return (
    <Await of={book} again={again}>{(found) => {
      const has = found.editions.map((known) => known.edition);
      const rest = has.filter((name) => name !== edition);
      return (
        <>
          {has.includes(edition) && rest.length > 0 && (
            <label class="inline beside-of">Beside <select value={has.includes(other) ? other : ''} onChange={(event) => go(`/rules/${edition}/${game}${event.currentTarget.value ? `?with=${encodeURIComponent(event.currentTarget.value)}` : ''}`)}><option value="">no other edition</option>{rest.map((name) => <option key={name} value={name}>{name}</option>)}</select></label>
          )}
          {has.includes(edition) && rest.includes(other) ? <Compared book={found} one={edition} other={other} /> : <BookOf book={found} edition={edition} />}
          <p class="faint foot"><a href={`/odds/${game}${edition ? `?edition=${edition}` : ''}`}>The odds of its wagers</a></p>
        </>
      );
    }}</Await>
  );
}

/** What an entry is in each edition that has it; equal ones are one. */
function BookOf({ book, edition }: { book: Book; edition: string }) {
  const editions = edition !== '' && book.editions.some((known) => known.edition === edition) ? [edition] : book.editions.map((known) => known.edition);
  const here = <T extends { editions: string[] | null }>(list: T[]): T[] => list.filter((entry) => editions.some((name) => holds(entry.editions, name)));
  const of = (entry: { editions: string[] | null }) => (editions.length > 1 && entry.editions !== null && entry.editions.length < book.editions.length ? <span class="only">{entry.editions.join(', ')}</span> : null);
  const cites = (entry: { cite: any; editions: string[] | null }) => <span class="cites">{[...new Set(editions.filter((name) => holds(entry.editions, name)).map((name) => citeOf(entry.cite, name)))].filter(Boolean).join(' · ')}</span>;
  return (
    <article class="book">
      <Head title={book.title}><p class="sub">{book.editions.filter((known) => editions.includes(known.edition)).map((known) => <span key={known.edition}><b>{known.edition}</b> {known.text}<br /></span>)}</p></Head>
      {editions.length > 1 && <p class="faint">What only one edition has carries its name.</p>}
      <h2>Wagers</h2>
      <table class="list"><thead><tr><th>Wager</th><th>Meaning</th><th>Pays by</th><th>Section</th></tr></thead><tbody>
        {here(book.wagers).map((entry, index) => <tr key={index} class={of(entry) ? 'differs' : ''}><td><b>{words(entry.kind)}</b> {of(entry)}</td><td>{entry.meaning}</td><td>{entry.pays.map((name) => <a key={name} href={`#${name.split('.')[0]}`}>{name} </a>)}{entry.settled}</td><td>{cites(entry)}</td></tr>)}
      </tbody></table>
      <h2>Pay tables</h2>
      <div class="pay-tables">
        {here(book.tables).map((table, index) => (
          <section key={index} id={table.id} class={`card${of(table) ? ' differs' : ''}`}>
            <h3>{table.title} {of(table)}</h3>{cites(table)}
            <table class="pays"><tbody>{table.rows.map((row) => <tr key={row.key}><td>{words(row.key)}{row.when && <small class="faint"> {row.when}</small>}</td><td class="num r">{oddsOf(row.pays)}</td></tr>)}</tbody></table>
          </section>
        ))}
        {here(book.tables).length === 0 && <p class="faint">This game has no pay table.</p>}
      </div>
      <h2>Options of the licensee</h2>
      <table class="list"><thead><tr><th>Option</th><th>Meaning</th><th>Default</th><th>Lawful</th><th>Section</th></tr></thead><tbody>
        {here(book.options).map((entry, index) => <tr key={index} class={of(entry) ? 'differs' : ''}><td><code>{entry.key}</code> {of(entry)}</td><td>{entry.meaning}</td><td class="num">{JSON.stringify(entry.default ?? null)}</td><td>{entry.lawful ?? ''}</td><td>{cites(entry)}</td></tr>)}
      </tbody></table>
      <h2>Findings</h2>
      <table class="list"><thead><tr><th>Code</th><th>Meaning</th><th>Severity</th><th>Section</th></tr></thead><tbody>
        {here(book.findings).map((entry, index) => <tr key={index} class={of(entry) ? 'differs' : ''}><td><code>{entry.code}</code> {of(entry)}</td><td>{entry.meaning}</td><td>{entry.severity}</td><td>{cites(entry)}</td></tr>)}
      </tbody></table>
      <h2>How doubtful passages are read</h2>
      <ul class="readings">{here(book.readings).map((entry, index) => <li key={index}>{entry.reading} {of(entry)} {cites(entry)}</li>)}</ul>
    </article>
  );
}
