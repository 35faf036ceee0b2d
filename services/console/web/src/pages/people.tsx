// One dealer, one patron or one set of cards, dice or tiles: what the archive and the room have of it.
import type { ComponentChildren } from 'preact';

import { post, query, session } from '../base/api';
import { isRefused, underCase, wantsCase } from '../base/case';
import { useLoaded } from '../base/hooks';
import { incidents, version } from '../base/live';
import { count, dollars, words } from '../base/money';
import { gamingDay, moment } from '../base/time';
import type { Incident, QueryAnswer } from '../base/types';
import { Answer } from '../parts/answer';
import { Await, Badge, Brief, Empty, Head, Loss, versionOf } from '../parts/bits';

/** The answer of a named question within a page. */
function Asked({ title, name, values, none, children }: {
  title: string; name: string; values: Record<string, string>; none: string; children?: (answer: QueryAnswer) => ComponentChildren;
}) {
  const [answer, again] = useLoaded(`${name} ${JSON.stringify(values)}`, () => post<QueryAnswer>(`/queries/${name}`, { params: values }));
  const more = Object.fromEntries(Object.entries(values).map(([key, value]) => [`p.${key}`, value]));
  return (
    <section class="part" data-question={name}>
      <h2>{title}<a class="plain-link" href={`/ask/${name}${query({ ask: 1, ...more })}`}>as a question</a></h2>
      <Await of={answer} again={again}>{(found) => (children ? children(found) : <Answer name={name} answer={found} none={none} />)}</Await>
    </section>
  );
}

const cellOf = (answer: QueryAnswer, name: string) => {
  const at = answer.columns.findIndex((column) => column.name === name);
  return (row: unknown[]) => (at < 0 ? null : row[at]);
};
const sum = (answer: QueryAnswer, name: string) => answer.rows.reduce((total, row) => total + (Number(cellOf(answer, name)(row)) || 0), 0);

export function People({ kind, id }: { kind: string; id: string }) {
  if (id === '') return <div class="page"><Empty title="Nobody is named.">Open a dealer or a patron from an incident, a round, or <a href="/find">Find</a>.</Empty></div>;
  if (kind === 'dealer') return <Dealer id={id} key={id} />;
  if (kind === 'patron') return <Patron id={id} key={id} />;
  return <div class="page"><Empty title={`There are dealers and patrons, and no “${kind}”.`} /></div>;
}

function Dealer({ id }: { id: string }) {
  return (
    <div class="page">
      <Head title={`Dealer ${id}`}><p class="sub"><a href={`/rounds?dealer=${encodeURIComponent(id)}`}>Rounds</a> · <a href={`/queue?dealer=${encodeURIComponent(id)}`}>Open incidents</a></p></Head>
      <Incidents title="Incidents" of={(incident) => incident.dealer === id} />
      <Asked title="Rounds dealt, and how many were paid wrongly" name="dealer-history" values={{ dealer: id }} none="The archive has no round that this dealer dealt.">
        {(answer) => (
          <>
            {answer.rows.length > 0 && <p>{count(sum(answer, 'rounds'))} rounds, {count(sum(answer, 'wrong_rounds'))} with a wrong payment; {sum(answer, 'house_lost_cents') < 0 ? 'the patrons' : 'the house'} lost {dollars(Math.abs(sum(answer, 'house_lost_cents')))} by them.</p>}
            <Answer name="dealer-history" answer={answer} none="The archive has no round that this dealer dealt." />
          </>
        )}
      </Asked>
    </div>
  );
}

/** What the name of a patron is, for whoever asks. */
function calledHow(id: string): string {
  if (!wantsCase(session.value)) return 'Patrons are numbers here; who they are lies outside the archive.';
  const isOther = id.startsWith('anon-');
  if (underCase.value === '' || isRefused.value) return isOther ? 'This is what the patron is called without a case.' : 'Without a case patrons go by other names: nothing is found of this one here.';
  return isOther ? `Under case ${underCase.value} patrons have their ids: nothing is found of this other name. Open the patron from a round or an answer.` : `The patron’s id, under case ${underCase.value}.`;
}

function Patron({ id }: { id: string }) {
  const day = gamingDay();
  return (
    <div class="page">
      <Head title={`Patron ${id}`}><p class="sub">{calledHow(id)} <a href={`/rounds?player=${encodeURIComponent(id)}`}>Rounds</a></p></Head>
      <Incidents title="Incidents" of={(incident) => incident.player === id} />
      <Asked title={`Money on gaming day ${day}`} name="patron-ledger" values={{ player: id, day }} none="Nothing was told of this patron's money on this day." />
      <Asked title="Bets placed or changed after the close" name="late-bets" values={{ player: id }} none="None of this patron's bets came late." />
      <Asked title="Wagers" name="patron-rounds" values={{ player: id }} none="The archive has no wager of this patron." />
    </div>
  );
}

/** What is open now, and what the room still remembers. */
function Incidents({ title, of }: { title: string; of: (incident: Incident) => boolean }) {
  void version.value;
  const found = [...incidents.values()].filter(of).sort((a, b) => (a.began < b.began ? 1 : -1));
  return (
    <section class="part">
      <h2>{title}</h2>
      {found.length === 0 ? <p class="faint">None is open, and none was closed a moment ago. Older ones are in the archive.</p> : (
        <table class="list"><tbody>{found.slice(0, 50).map((one) => (
          <tr key={one.id}><td><Badge priority={one.priority} /></td><td><Brief at={one.began} /></td><td class="tight">{one.table}</td><td><a href={`/queue/${one.id}`}>{one.headline}</a></td><td><Loss cents={one.exposure_cents} /></td><td>{words(one.status)}</td></tr>
        ))}</tbody></table>
      )}
      {found.length > 50 && <p class="faint">The last 50 of {count(found.length)}.</p>}
    </section>
  );
}

/** The way of a set, a wheel or a device through the house. */
export function SetOf({ id }: { id: string }) {
  if (id === '') return <div class="page"><Empty title="No set is named.">Sets of cards, dice and tiles have the names that the floor gives them, such as deck-1: open one from a round, or by <a href="/find">Find</a>.</Empty></div>;
  return (
    <div class="page">
      <Head title={`Set ${id}`}><p class="sub">From delivery to destruction, as it was told. <a href={`/rounds?set=${encodeURIComponent(id)}`}>Rounds</a></p></Head>
      <Asked title="Custody" name="custody" values={{ item: id }} none="">
        {(answer) => (answer.rows.length === 0 ? <Empty title="Nothing was told of it.">A set that nobody delivered, opened or inspected is a finding by itself.</Empty> : <Custody answer={answer} />)}
      </Asked>
      <Asked title="Rounds dealt from it" name="set-rounds" values={{ set: id }} none="No round was dealt from it." />
    </div>
  );
}

function Custody({ answer }: { answer: QueryAnswer }) {
  const of = (name: string) => cellOf(answer, name);
  const tables = [...new Set(answer.rows.map((row) => `${of('property')(row)} ${of('table_id')(row)}`))];
  const text = (row: unknown[], name: string) => {
    const value = of(name)(row);
    return value === null || value === undefined || value === '' ? '' : String(value);
  };
  return (
    <>
      {tables.length > 1 && <p class="wrong">{count(tables.length)} tables have a set of this name; each has its own line.</p>}
      {tables.map((table) => (
        <ol key={table} class="timeline" aria-label={table}>
          {answer.rows.filter((row) => `${of('property')(row)} ${of('table_id')(row)}` === table).map((row, index) => (
            <li key={index} class={text(row, 'gap') ? 'broken' : text(row, 'passed') === 'false' ? 'broken' : ''}>
              <time class="num">{moment(text(row, 'at'))}</time>
              <b>{words(text(row, 'deed'))}</b> <span>{text(row, 'table_id')}</span>{' '}
              <span class="faint">
                {[text(row, 'person') && `by ${text(row, 'person')}${text(row, 'role') ? `, ${words(text(row, 'role'))}` : ''}`, text(row, 'witness') && `witness ${text(row, 'witness')}`, text(row, 'seal') && `seal ${text(row, 'seal')}`,
                  text(row, 'container') && `in ${text(row, 'container')}`, text(row, 'shoe') && `shoe ${text(row, 'shoe')}`, text(row, 'reason') && words(text(row, 'reason'))].filter(Boolean).join(' · ')}
              </span>
              {text(row, 'gap') && <b class="wrong"> {text(row, 'gap')}</b>}
              {text(row, 'passed') === 'false' && <b class="wrong"> not passed</b>}
            </li>
          ))}
        </ol>
      ))}
      {answer.more && <p class="wrong">There is more than a page shows.</p>}
      <p class="faint foot">Archive version {versionOf(answer.version)}</p>
    </>
  );
}
