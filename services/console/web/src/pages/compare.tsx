// Two editions of a game's rules side by side: what differs is marked, what is alike can be left out.
import type { ComponentChildren } from 'preact';

import { count, words } from '../base/money';
import { params, put } from '../base/router';
import type { Book } from '../base/types';
import { Empty, Head } from '../parts/bits';
import { citeOf, holds, oddsOf } from '../replay/rule';

interface Line { key: string; name: ComponentChildren; sides: (string | null)[]; cites: string[] }

/** The same thing of each edition, by its key; a text that says all that matters of it. */
function lines<T extends { editions: string[] | null; cite: any }>(all: T[], editions: [string, string], keyOf: (entry: T) => string, nameOf: (entry: T) => ComponentChildren, textOf: (entry: T) => string): Line[] {
  const keys = [...new Set(all.map(keyOf))];
  return keys.flatMap((key) => {
    const of = editions.map((edition) => all.find((entry) => keyOf(entry) === key && holds(entry.editions, edition)));
    const first = of[0] ?? of[1];
    if (first === undefined) return [];
    return [{ key, name: nameOf(first), sides: of.map((entry) => (entry === undefined ? null : textOf(entry).replaceAll('`', ''))), cites: of.map((entry, at) => (entry === undefined ? '' : citeOf(entry.cite, editions[at] ?? ''))) }];
  });
}

export function Compared({ book, one, other }: { book: Book; one: string; other: string }) {
  const all = params.value.get('all') === '1';
  const editions: [string, string] = [one, other];
  const pays = book.tables.flatMap((table) => table.rows.map((row) => ({ ...row, id: table.id, title: table.title, editions: table.editions, cite: table.cite })));
  const groups: [string, Line[]][] = [
    ['Wagers', lines(book.wagers, editions, (entry) => entry.kind, (entry) => <b>{words(entry.kind)}</b>, (entry) => [entry.meaning, entry.pays.length > 0 && `Pays by ${entry.pays.join(', ')}`, entry.settled].filter(Boolean).join('. '))],
    ['Pay tables', lines(pays, editions, (entry) => `${entry.id} ${entry.key}`, (entry) => <><b>{words(entry.key)}</b> <small class="faint">{entry.title}</small></>, (entry) => oddsOf(entry.pays) + (entry.when ? ` ${entry.when}` : ''))],
    ['Options of the licensee', lines(book.options, editions, (entry) => entry.key, (entry) => <code>{entry.key}</code>, (entry) => `${entry.meaning} Default ${JSON.stringify(entry.default ?? null)}.${entry.lawful ? ` Lawful: ${entry.lawful}.` : ''}`)],
    ['Figures', lines(book.figures, editions, (entry) => entry.key, (entry) => <code>{entry.key}</code>, (entry) => `${JSON.stringify(entry.value)} ${entry.meaning}`)],
    ['Findings', lines(book.findings, editions, (entry) => entry.code, (entry) => <code>{entry.code}</code>, (entry) => `${entry.severity}. ${entry.meaning}`)],
  ];
  const differs = ({ sides }: Line) => sides[0] !== sides[1];
  const number = groups.reduce((sum, [, list]) => sum + list.filter(differs).length, 0);
  return (
    <article class="book compared" data-differences={number}>
      <Head title={book.title}><p class="sub">{one} and {other}: {number === 0 ? 'nothing differs.' : `${count(number)} differences.`} <label class="inline"><input type="checkbox" checked={all} onChange={() => put({ all: all ? null : 1 })} /> what is alike too</label></p></Head>
      {groups.map(([title, list]) => {
        const shown = all ? list : list.filter(differs);
        if (shown.length === 0) return all && list.length === 0 ? null : <section key={title} class="part"><h2>{title}</h2><p class="faint">{list.length === 0 ? 'Neither edition has any.' : `All ${count(list.length)} are alike.`}</p></section>;
        return (
          <section key={title} class="part">
            <h2>{title}</h2>
            <table class="list sides">
              <thead><tr><th>{title === 'Pay tables' ? 'Row' : 'Name'}</th><th>{one}</th><th>{other}</th></tr></thead>
              <tbody>{shown.map((line) => (
                <tr key={line.key} class={differs(line) ? 'differs' : ''}>
                  <td>{line.name}{differs(line) && <span class="sr"> differs</span>}</td>
                  {line.sides.map((side, at) => <td key={at}>{side === null ? <em class="only">not in this edition</em> : <>{marked(side, line.sides[1 - at] ?? null)} {line.cites[at] && <span class="cites">{line.cites[at]}</span>}</>}</td>)}
                </tr>
              ))}</tbody>
            </table>
          </section>
        );
      })}
      {number === 0 && !all && <Empty title="The two editions say the same of this game." />}
    </article>
  );
}

/** The words of a text between what begins and what ends alike in the other. */
function marked(text: string, other: string | null): ComponentChildren {
  if (other === null || text === other) return text;
  const [a, b] = [text.split(' '), other.split(' ')];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = a.slice(from, a.length - end).join(' ');
  return <>{a.slice(0, from).join(' ')} {middle && <mark>{middle}</mark>} {a.slice(a.length - end).join(' ')}</>;
}
