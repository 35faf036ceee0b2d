// One round: its table step by step, the rule beside the step, due against paid.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { get, Refused } from '../base/api';
import { useKeys, useLoaded } from '../base/hooks';
import { dollars, words } from '../base/money';
import { params, path, put } from '../base/router';
import { now } from '../base/time';
import type { Book, RoundStory, WagerRow } from '../base/types';
import { Await, Clock, Empty, Head, Kbd, Money, PatronLink } from '../parts/bits';
import { lazy } from '../parts/lazy';
import { Drawn } from '../replay/draw';
import { type Round as Model, roundOf } from '../replay/model';
import { type Rule, rulesOf } from '../replay/rule';
import { sentence } from '../replay/words';
import { mayActOnCases } from './places';

const CaseDialog = lazy(() => import('./cases').then((page) => page.Act));

const books = new Map<string, Promise<Book | null>>();

/** The book of a game, fetched once. */
function bookOf(game: string, edition: string | undefined): Promise<Book | null> {
  const key = `${game} ${edition ?? ''}`;
  let book = books.get(key);
  if (book === undefined) {
    book = get<Book>(`/rules/${encodeURIComponent(game)}${edition ? `?edition=${encodeURIComponent(edition)}` : ''}`).catch(() => {
      books.delete(key);
      return null;
    });
    books.set(key, book);
  }
  return book;
}

export interface Read {
  story: RoundStory;
  model: Model;
  book: Book | null;
}

export async function read(id: string): Promise<Read> {
  const story = await get<RoundStory>(`/rounds/${encodeURIComponent(id)}`);
  const game = story.document?.game ?? story.round?.game ?? '';
  const model = roundOf(game, { events: story.events, document: story.document, wagers: story.wagers ?? [], findings: story.findings ?? [] });
  return { story, model, book: await bookOf(game, story.document?.edition) };
}

const HOW_LONG_MS = 20 * 60_000;

/** The replay beside an incident. A round that was just dealt may not be in the archive yet: it is asked for again. */
export function ReplayOf({ round, recent }: { round: string; recent: string }) {
  const [attempt, setAttempt] = useState(0);
  const [missing, setMissing] = useState(false);
  const [loaded, again] = useLoaded(`${round} ${attempt}`, async () => {
    try {
      const found = await read(round);
      setMissing(false);
      return found;
    } catch (error) {
      if (error instanceof Refused && error.status === 404) setMissing(true);
      throw error;
    }
  });
  const young = now() - Date.parse(recent) < HOW_LONG_MS;
  // A finding may come before its round has ended, and the archive after both.
  const unfinished = loaded.state === 'there' && loaded.value.story.round === null;
  useEffect(() => {
    if (!(missing || unfinished) || !young) return;
    const timer = setTimeout(() => setAttempt((n) => n + 1), 2_000);
    return () => clearTimeout(timer);
  }, [missing, unfinished, attempt, young]);
  if (missing && loaded.state !== 'there') {
    return <Empty title={`Round ${round} is not in the archive${young ? ' yet' : ''}.`}>{young ? 'It is asked for again every two seconds.' : ''}</Empty>;
  }
  return <Await of={loaded} again={again}>{(found) => <Replay read={found} link />}</Await>;
}

export function Round({ id }: { id: string }) {
  const [loaded, again] = useLoaded(id, () => read(id));
  return (
    <div class="page round">
      <Await of={loaded} again={again}>
        {(found) => (
          <>
            <RoundHead id={id} read={found} />
            <Replay read={found} whole />
          </>
        )}
      </Await>
    </div>
  );
}

export function RoundHead({ id, read: { story, model } }: { id: string; read: Read }) {
  const round = story.round;
  return (
    <Head title={`Round ${id}`}>
      {round && (
        <p class="sub">
          {words(round.game)}{story.document && ` (${story.document.edition})`} · <a href={`/rounds?table=${encodeURIComponent(round.table_id)}`}>{round.table_id}</a>
          {round.dealer && <> · dealer <a href={`/rounds?table=${encodeURIComponent(round.table_id)}&dealer=${encodeURIComponent(round.dealer)}`}>{round.dealer}</a></>}
          {' · '}<Clock at={round.opened_at} /> to <Clock at={round.closed_at} />
        </p>
      )}
      {round === null && <p class="sub wrong">This round is not settled: what follows is what the feed has said so far.</p>}
      <p class="sub">{verdict(story, model)}</p>
      {!path.value.startsWith('/print') && (
        <span class="buttons">
          {mayActOnCases() && <IntoCase id={id} findings={model.findings.map((finding) => finding.id)} />}
          <a class="chip" href={`/print/round/${encodeURIComponent(id)}?step=${params.value.get('step') ?? model.steps.length}`} target="_blank" rel="opener">Print</a>
        </span>
      )}
    </Head>
  );
}

/** The round and what was found in it, put into a case. */
function IntoCase({ id, findings }: { id: string; findings: string[] }) {
  const [asking, setAsking] = useState(false);
  const [into, setInto] = useState('');
  useKeys('case', [{ keys: ['w'], does: 'Put it into a case', group: 'Round', run: () => setAsking(true) }]);
  return (
    <>
      <button onClick={() => setAsking(true)}>Put into a case <Kbd>w</Kbd></button>
      {into !== '' && <span role="status">It is in case <a href={`/cases/${encodeURIComponent(into)}`}>{into}</a>.</span>}
      {asking && <CaseDialog action="add" number="" named={{ rounds: [id], findings, patrons: [] }} onClose={() => setAsking(false)} onDone={(number: string) => { setInto(number); setAsking(false); }} />}
    </>
  );
}

/** What came of the round, in a sentence that says as much as is known and no more. */
function verdict(story: RoundStory, model: Model): string {
  const round = story.round;
  if (round === null) return 'Not settled yet.';
  if (round.voided) return 'Not judged: the floor declared it void.';
  if (!round.complete) return 'Not judged: events of it are missing.';
  if (round.rules === null || round.rules === undefined) return 'Not judged: its document cannot be settled.';
  const difference = round.difference_cents ?? null;
  if (difference === null) return 'Not judged in full: something that nobody saw decides it.';
  const paid = difference === 0 ? 'Paid as the rules say.' : difference > 0 ? `The house lost ${dollars(difference)}.` : `The patrons lost ${dollars(-difference)}.`;
  const found = model.findings.length;
  if (found > 0) return `${paid} ${found} ${found === 1 ? 'finding' : 'findings'}.`;
  return difference === 0 ? `${paid} Nothing was found wrong in what was recorded.` : `${paid} The archive has no finding about it.`;
}

export function Replay({ read: { story, model, book }, whole, link }: { read: Read; whole?: boolean; link?: boolean }) {
  const last = model.steps.length;
  const inUrl = params.value.get('step');
  const first = model.faulty[0] ?? last;
  const step = inUrl === null ? first : Math.min(last, Math.max(0, Number(inUrl) || 0));
  const to = (next: number) => put({ step: Math.min(last, Math.max(0, next)) });
  const nextFault = () => {
    const next = model.faulty.find((fault) => fault > step) ?? model.faulty[0];
    if (next !== undefined) to(next);
  };
  useKeys('replay', [
    { keys: ['ArrowRight', 'l'], does: 'A step on', group: 'Replay', run: () => to(step + 1), repeats: true },
    { keys: ['ArrowLeft', 'h'], does: 'A step back', group: 'Replay', run: () => to(step - 1), repeats: true },
    { keys: ['[', ...(whole ? ['Home'] : [])], does: 'Before the first step', group: 'Replay', run: () => to(0) },
    { keys: [']', ...(whole ? ['End'] : [])], does: 'After the last step', group: 'Replay', run: () => to(last) },
    { keys: ['n'], does: 'The faulty step', group: 'Replay', run: nextFault },
  ]);
  const current = model.steps[step - 1];
  const rules = useMemo(() => rulesOf(book, model, current), [book, model, step]);
  if (last === 0) return <Empty title="Nothing is recorded of this round." />;
  return (
    <div class={`replay${whole ? ' whole' : ''}`} data-step={step} data-steps={last} data-game={model.game}>
      <div class="stage">
        <Drawn round={model} step={step} />
        <div class="controls">
          <button onClick={() => to(0)} aria-label="Before the first step" disabled={step === 0}><Sign to={SIGNS.first} /></button>
          <button onClick={() => to(step - 1)} aria-label="A step back" disabled={step === 0}><Sign to={SIGNS.back} /></button>
          <input
            type="range" min="0" max={last} value={step} aria-label={`Step, of ${last}`} aria-valuetext={current ? sentence(current.event.body) : 'before the first step'}
            onInput={(event) => to(Number(event.currentTarget.value))}
          />
          <button onClick={() => to(step + 1)} aria-label="A step on" disabled={step === last}><Sign to={SIGNS.on} /></button>
          <button onClick={() => to(last)} aria-label="After the last step" disabled={step === last}><Sign to={SIGNS.last} /></button>
          <span class="num">{step}/{last}</span>
          <button class={model.faulty.length > 0 ? 'fault' : ''} disabled={model.faulty.length === 0} onClick={nextFault}>
            {model.faulty.length === 0 ? 'No faulty step' : model.faulty.includes(step) ? 'Faulty step' : 'To the faulty step'} <Kbd>n</Kbd>
          </button>
        </div>
        <p class="said" aria-live="polite">{current ? sentence(current.event.body) : 'Before the first step.'}</p>
      </div>
      <div class="beside">
        <Rules of={rules} />
        <Steps model={model} step={step} to={to} />
        <Due wagers={story.wagers ?? []} model={model} />
        {link && story.round && <p><a href={`/rounds/${encodeURIComponent(story.round.round)}?step=${step}`}>The whole round</a></p>}
      </div>
    </div>
  );
}

/** Signs of the controls, drawn, since not every font has them. */
const Sign = ({ to }: { to: string }) => <svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d={to} /></svg>;
const SIGNS = { first: 'M4 3v10M13 3L6 8l7 5z', back: 'M11 3L4 8l7 5z', on: 'M5 3l7 5-7 5z', last: 'M12 3v10M3 3l7 5-7 5z' };

function Rules({ of }: { of: Rule[] }) {
  return (
    <section class="rules-beside" aria-label="The rule beside the step">
      <h2>Rule</h2>
      {of.length === 0 && <p class="faint">No section is tied to this step.</p>}
      {of.map((rule, index) => (
        <div key={index} class={rule.wrong ? 'rule wrong-rule' : 'rule'}>
          <b>{rule.what}</b> {rule.cite && <span class="cites">{rule.cite}</span>}
          <p>{rule.text}</p>
          {rule.pays && rule.pays.length > 0 && (
            <table class="pays"><tbody>{rule.pays.map((row) => <tr key={row.what}><td>{row.what}{row.when && <small class="faint"> {row.when}</small>}</td><td class="num">{row.odds}</td></tr>)}</tbody></table>
          )}
        </div>
      ))}
    </section>
  );
}

function Steps({ model, step, to }: { model: Model; step: number; to: (step: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const row = box?.children[step - 1] as HTMLElement | undefined;
    if (!box || !row) return;
    if (row.offsetTop < box.scrollTop) box.scrollTop = row.offsetTop;
    else if (row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = row.offsetTop + row.offsetHeight - box.clientHeight;
  }, [step]);
  return (
    <section class="steps" aria-label="Steps">
      <h2>Steps</h2>
      <ol ref={list} tabIndex={0} aria-label="Steps of the round">
        {model.steps.map((known, index) => (
          <li key={known.seq} class={`${index + 1 === step ? 'current' : ''}${known.findings.length > 0 ? ' faulty' : ''}`} aria-current={index + 1 === step ? 'step' : undefined}>
            <button class="plain" tabIndex={-1} onClick={() => to(index + 1)}>
              <span class="num faint">{known.seq}</span> <span>{sentence(known.event.body)}</span> {known.findings.length > 0 && <em>{known.findings.map((finding) => finding.code).join(', ')}</em>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Due({ wagers, model }: { wagers: WagerRow[]; model: Model }) {
  if (wagers.length === 0) return null;
  const wrong = new Set(model.findings.map((finding) => finding.wager));
  const patrons = [...new Map(wagers.filter((wager) => wager.player).map((wager) => [`${wager.seat} ${wager.player}`, wager])).values()];
  return (
    <section class="due" aria-label="Due against paid">
      <h2>Due against given</h2>
      {patrons.length > 0 && <p class="patrons">{patrons.map(({ seat, player }) => <span key={`${seat} ${player}`}><span class="faint">Seat {seat}</span> <PatronLink id={player ?? ''} /></span>)}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label="Wagers">
        <table>
          <thead><tr><th>Wager</th><th class="r">Seat</th><th>On</th><th class="r">Stake</th><th>Result</th><th class="r">Due back</th><th class="r">Given</th><th class="r">Difference</th></tr></thead>
          <tbody>
            {wagers.map((wager) => (
              <tr key={wager.wager} class={wrong.has(wager.wager) || (wager.difference_cents ?? 0) !== 0 ? 'wrong-row' : ''}>
                <td class="num">{wager.wager}</td><td class="r num">{wager.seat}</td><td>{words(wager.kind)}</td><td class="r"><Money cents={wager.amount_cents} /></td>
                <td>{wager.result ?? 'not judged'}</td><td class="r"><Money cents={wager.returned_cents} /></td><td class="r"><Money cents={wager.given_cents} /></td>
                <td class="r">{wager.difference_cents ? <Money cents={wager.difference_cents} signed /> : wager.difference_cents === 0 ? '0' : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
