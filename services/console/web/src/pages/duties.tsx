// Duties to those outside that opened by what was found: by when somebody must be told, and who was. What they are and
// whether they are met is the desk's to say.
import { useState } from 'preact/hooks';

import { get } from '../base/api';
import { useLoaded } from '../base/hooks';
import { logVersion, version } from '../base/live';
import { count, words } from '../base/money';
import { now, span, tick } from '../base/time';
import type { Duty, DutyRule } from '../base/types';
import { Await, Brief, Clock, Empty, Head } from '../parts/bits';
import { mayWrite, Write } from './log';

const SHOWN = 500;
const WHO: Record<string, string> = { bureau: 'the Bureau', compliance: 'casino compliance', accounting: 'accounting', surveillance: 'surveillance' };
const who = (to: string): string => WHO[to] ?? words(to);

const isOpen = (duty: Duty): boolean => duty.receipt === undefined && duty.status !== 'lapsed';
/** The open ones first, by their deadlines; of those that are done, the last. */
const order = (a: Duty, b: Duty): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || (isOpen(a) ? Date.parse(a.due_by) - Date.parse(b.due_by) : Date.parse(b.since) - Date.parse(a.since));

export function Duties() {
  void tick.value;
  const [about, setAbout] = useState<Duty | null>(null);
  // Asked anew when something changed, and not more often than every few seconds.
  const when = `${logVersion.value} ${Math.floor(version.value / 50)} ${Math.floor(tick.value / 10)}`;
  const [loaded, again] = useLoaded(`duties ${when}`, () => get<{ duties: Duty[]; rules: DutyRule[]; more: boolean }>('/duties?status=all'));
  return (
    <div class="page">
      <Head title="Duties"><p class="sub">Who outside the room must be told of what, by when, and how it is known that they were.</p></Head>
      <Await of={loaded} again={again}>{({ duties, rules, more }) => (
        <>
          {more && <p class="wrong">There is more than a page can take: this may not be all.</p>}
          <Owed of={[...duties].sort(order)} rules={rules} onTell={mayWrite() ? setAbout : undefined} />
          <ByHand of={rules} />
        </>
      )}</Await>
      {about !== null && (
        <Write
          corrects={null} onClose={() => setAbout(null)}
          preset={{ kind: 'notification', table: about.table, property: about.property, summary: `${who(about.to).replace(/^./, (first) => first.toUpperCase())} was told: ${about.what}`, violation: about.id }}
        />
      )}
    </div>
  );
}

function Owed({ of, rules, onTell }: { of: Duty[]; rules: DutyRule[]; onTell?: (duty: Duty) => void }) {
  const open = of.filter(isOpen);
  const late = open.filter((duty) => Date.parse(duty.due_by) < now());
  const said = new Map(rules.map((rule) => [rule.name, rule.what]));
  if (of.length === 0) return <Empty title="No duty has opened.">One opens when something is found that somebody outside must be told of.</Empty>;
  return (
    <>
      <p>
        {count(open.length)} {open.length === 1 ? 'duty is' : 'duties are'} open{late.length > 0 && <>, <b class="wrong">{count(late.length)} late</b></>}; {count(of.length - open.length)} done or lapsed.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Duties">
        <table class="list">
          <thead><tr><th>By</th><th>Table</th><th>What there is to tell</th><th>To</th><th>Duty</th><th>Told</th></tr></thead>
          <tbody>{of.slice(0, SHOWN).map((duty) => <Row key={duty.id} duty={duty} said={said.get(duty.rule) ?? ''} onTell={onTell} />)}</tbody>
        </table>
      </div>
      {of.length > SHOWN && <p class="wrong">The {count(SHOWN)} most pressing of {count(of.length)} are shown.</p>}
    </>
  );
}

function Row({ duty, said, onTell }: { duty: Duty; said: string; onTell?: (duty: Duty) => void }) {
  const due = Date.parse(duty.due_by);
  const open = isOpen(duty);
  const late = open && due < now();
  return (
    <tr class={late ? 'wrong-row' : ''} data-duty={open ? (late ? 'late' : 'open') : duty.status}>
      <td class="tight"><Brief at={duty.due_by} /> {open && <small class={late ? 'wrong' : 'faint'}>{late ? `late by ${span((now() - due) / 1000)}` : `in ${span((due - now()) / 1000)}`}</small>}</td>
      <td class="tight">{duty.table}</td>
      <td class="name">{duty.incident ? <a href={`/queue/${encodeURIComponent(duty.incident)}`}>{duty.what}</a> : duty.round ? <a href={`/rounds/${encodeURIComponent(duty.round)}`}>{duty.what}</a> : duty.what}</td>
      <td class="nowrap">{who(duty.to)}</td>
      <td class="name">{said} <span class="cites">{duty.section}</span></td>
      <td class="name">
        {duty.receipt ? <>{duty.receipt.by}, <Clock at={duty.receipt.at} />, {words(duty.receipt.how)}{duty.status === 'missed' && <b class="wrong"> late</b>}</>
          : duty.status === 'lapsed' ? <span class="faint">lapsed: later events explain it</span>
            : onTell ? <button onClick={() => onTell(duty)}>Write down who was told</button> : 'nobody yet'}
      </td>
    </tr>
  );
}

/** What the texts ask for and no event tells of: the log is the record of it. */
function ByHand({ of }: { of: DutyRule[] }) {
  const rest = of.filter((rule) => rule.by_hand !== undefined);
  if (rest.length === 0) return null;
  return (
    <section class="part">
      <h2>Watched by people</h2>
      <p class="faint">No event says that these fall due. Write into the <a href="/log">log</a> who was told.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Duties that people watch">
        <table class="list">
          <thead><tr><th>When</th><th>To</th><th>By</th><th>Section</th><th>Why nothing tells of it</th></tr></thead>
          <tbody>{rest.map((rule) => <tr key={rule.name}><td class="name">{rule.what}</td><td class="nowrap">{who(rule.to)}</td><td>{rule.when}</td><td class="cites">{rule.section}</td><td class="faint">{rule.by_hand}</td></tr>)}</tbody>
        </table>
      </div>
    </section>
  );
}
