// Duties to the Bureau that open by what was found: by when somebody must be told, and who was.
import { useState } from 'preact/hooks';

import { get } from '../base/api';
import { useLoaded } from '../base/hooks';
import { logVersion, version } from '../base/live';
import { count } from '../base/money';
import { now, span, tick } from '../base/time';
import type { Entry, Incident } from '../base/types';
import { Await, Badge, Brief, Clock, Empty, Head } from '../parts/bits';
import { mayWrite, Write } from './log';

/** "Immediately", as the house reads it. */
const IMMEDIATELY_MINUTES = 15;

interface Duty { section: string; what: string; codes: string[]; minutes: number }

const DUTIES: Duty[] = [
  { section: '205 CMR 146.49(14)(j), (k)', what: 'Cards missing, extra, foreign or tampered with', codes: ['deck.missing_card', 'deck.extra_card', 'deck.duplicate_card', 'deck.foreign_card', 'deck.switched_card'], minutes: IMMEDIATELY_MINUTES },
  { section: '205 CMR 146.46(6)(c)6', what: 'Dice foreign or tampered with', codes: ['dice.foreign', 'dice.failed_inspection', 'dice.wrong_number'], minutes: IMMEDIATELY_MINUTES },
  { section: '205 CMR 146.53(12)(d)', what: 'Tiles missing, doubled, foreign or tampered with', codes: ['tiles.missing_tile', 'tiles.duplicate_tile', 'tiles.foreign_tile', 'tiles.failed_inspection'], minutes: IMMEDIATELY_MINUTES },
  { section: '205 CMR 147.03(3)(c)', what: 'Rules, limits or requirements changed without notice', codes: ['rules.notice', 'limits.notice', 'requirement.notice'], minutes: 0 },
  { section: '205 CMR 147.05(2)', what: 'A tournament without five business days’ notice', codes: ['tournament.notice', 'tournament.not_noticed'], minutes: 0 },
];

interface Owed { duty: Duty; incident: Incident; due: number; told: { whom: string; at: string; how: string } | null }

/** Who was told of it: written at its disposal, or in the log of the room as told about the same table since. */
function toldOf(incident: Incident, entries: Entry[]): Owed['told'] {
  const notified = incident.disposal?.notified?.[0];
  if (notified !== undefined) return notified;
  const found = entries.filter((entry) => entry.property === incident.property && entry.table === incident.table && entry.at >= (incident.heard ?? incident.began));
  const first = found.sort((a, b) => (a.at < b.at ? -1 : 1))[0];
  return first === undefined ? null : { whom: first.persons.join(', ') || first.summary, at: first.at, how: `log no. ${first.number}` };
}

export function owed(incidents: Incident[], entries: Entry[]): Owed[] {
  const found = incidents.flatMap((incident) => {
    const duty = DUTIES.find(({ codes }) => incident.codes.some((code) => codes.includes(code)));
    if (duty === undefined || ['false_alarm', 'duplicate'].includes(incident.disposal?.verdict ?? '')) return [];
    return [{ duty, incident, due: Date.parse(incident.heard ?? incident.began) + duty.minutes * 60_000, told: toldOf(incident, entries) }];
  });
  return found.sort((a, b) => Number(a.told !== null) - Number(b.told !== null) || a.due - b.due);
}

export function Duties() {
  void tick.value;
  const [about, setAbout] = useState<Incident | null>(null);
  // Asked anew when something changed, and not more often than every few seconds.
  const when = `${logVersion.value} ${Math.floor(version.value / 50)} ${Math.floor(tick.value / 10)}`;
  const [loaded, again] = useLoaded(`duties ${when}`, async () => {
    const [desk, log] = await Promise.all([get<{ incidents: Incident[]; more: boolean }>('/incidents?status=all&limit=20000'), get<{ entries: Entry[]; more: boolean }>('/log?kind=notification&limit=5000')]);
    return { list: owed(desk.incidents, log.entries), more: desk.more || log.more };
  });
  return (
    <div class="page">
      <Head title="Duties"><p class="sub">What the Bureau must be told, by when, and whether somebody wrote down that it was. “Immediately” is {IMMEDIATELY_MINUTES} minutes in this house.</p></Head>
      <Await of={loaded} again={again}>{({ list, more }) => {
        const open = list.filter((one) => one.told === null);
        const late = open.filter((one) => one.due < now());
        return (
          <>
            {more && <p class="wrong">There is more than a page can take: this may not be all.</p>}
            <p>{count(open.length)} {open.length === 1 ? 'duty is' : 'duties are'} open{late.length > 0 && <>, <b class="wrong">{count(late.length)} late</b></>}; {count(list.length - open.length)} written down as done.</p>
            {list.length === 0 ? <Empty title="No duty has opened.">One opens when something is found that the Bureau must be told of. Other duties, such as deliveries of chips, are not in the feed: write them into the log.</Empty> : (
              <div class="scroll" tabIndex={0} role="region" aria-label="Duties">
                <table class="list">
                  <thead><tr><th>By</th><th>Table</th><th>What was found</th><th>Duty</th><th>Told</th></tr></thead>
                  <tbody>{list.slice(0, 500).map(({ duty, incident, due, told }) => (
                    <tr key={incident.id} class={told === null && due < now() ? 'wrong-row' : ''} data-duty={told === null ? (due < now() ? 'late' : 'open') : 'done'}>
                      <td class="tight"><Clock at={new Date(due).toISOString()} /> {told === null && <small class={due < now() ? 'wrong' : 'faint'}>{due < now() ? `late by ${span((now() - due) / 1000)}` : `in ${span((due - now()) / 1000)}`}</small>}</td>
                      <td class="tight"><Badge priority={incident.priority} /> {incident.table}</td>
                      <td class="name"><a href={`/queue/${incident.id}`}>{incident.headline}</a></td>
                      <td class="name">{duty.what} <span class="cites">{duty.section}</span></td>
                      <td class="name">{told === null ? mayWrite() ? <button onClick={() => setAbout(incident)}>Write down who was told</button> : 'nobody yet' : <>{told.whom}, <Brief at={told.at} />, {told.how}{Date.parse(told.at) > due && <b class="wrong"> late</b>}</>}</td>
                    </tr>
                  ))}</tbody>
                </table>
              </div>
            )}
            {list.length > 500 && <p class="wrong">The 500 most pressing of {count(list.length)} are shown.</p>}
          </>
        );
      }}</Await>
      {about !== null && <Write corrects={null} preset={{ kind: 'notification', table: about.table, property: about.property, summary: `The Bureau was told of: ${about.headline}` }} onClose={() => setAbout(null)} />}
    </div>
  );
}
