// One incident: what was found, what was done about it, and its round.
import { useEffect } from 'preact/hooks';

import { get, session } from '../base/api';
import { failures, foreseen, type DeedName } from '../base/acts';
import { useLoaded } from '../base/hooks';
import { incidents, take, touched, version } from '../base/live';
import { count, dollars, words } from '../base/money';
import { age, now, tick } from '../base/time';
import type { Act, Finding, Incident } from '../base/types';
import { Await, Badge, Brief, Clock, Empty, Kbd, Loss, Money, RoundLink } from '../parts/bits';
import { ReplayOf } from './round';

interface Whole { incident: Incident; findings: Finding[]; acts: Act[] }

export function Detail({ id, onDeed }: { id: string; onDeed: (deed: DeedName) => void }) {
  const times = touched.value.get(id) ?? 0;
  const [whole, again] = useLoaded(`${id} ${times}`, () => get<Whole>(`/incidents/${encodeURIComponent(id)}`));
  void version.value;
  const known = incidents.get(id) ?? (whole.state === 'there' ? whole.value.incident : undefined);
  useEffect(() => {
    if (whole.state === 'there' && !incidents.has(id)) take(whole.value.incident);
  }, [whole.state]);
  return (
    <>
      <section class="queue-detail" aria-label="Incident">
        {known === undefined
          ? whole.state === 'failed' ? <Empty title="This incident could not be read.">{whole.why}</Empty> : <div class="loading">Reading…</div>
          : <Facts incident={foreseen(known)} onDeed={onDeed} />}
        <Await of={whole} again={again}>{(found) => <><Findings of={found.findings} /><Acts of={found.acts} /></>}</Await>
      </section>
      <section class="queue-replay" aria-label="Replay">
        {known?.round
          ? <ReplayOf round={known.round} key={known.round} recent={known.heard ?? known.last} />
          : <Empty title="No round.">{known === undefined ? '' : 'This incident is about the table or its equipment, not about a round.'}</Empty>}
      </section>
    </>
  );
}

const DEEDS: [DeedName, string, string][] = [
  ['claim', 'Claim', 'c'], ['acknowledge', 'Acknowledge', 'a'], ['assign', 'Assign', 's'], ['escalate', 'Escalate', 'e'], ['dispose', 'Dispose', 'd'], ['note', 'Note', 'm'], ['undo', 'Undo', 'u'],
];

function Facts({ incident, onDeed }: { incident: Incident; onDeed: (deed: DeedName) => void }) {
  void tick.value;
  const me = session.value?.user.id;
  const failure = failures.value.get(incident.id);
  return (
    <div class="facts-of">
      <header>
        <Badge priority={incident.priority} />
        <h1>{incident.headline}</h1>
      </header>
      <div class="deeds">
        {DEEDS.map(([deed, name, key]) => (
          <button key={deed} class={deed === 'dispose' ? 'main' : ''} disabled={deed === 'dispose' && incident.status !== 'open'} onClick={() => onDeed(deed)}>
            {deed === 'claim' && incident.held?.by === me ? 'Release' : name} <Kbd>{key}</Kbd>
          </button>
        ))}
      </div>
      {failure && <p class="wrong" role="alert">{words(failure.deed)} failed: {failure.why}</p>}
      <dl class="facts">
        <dt>Table</dt><dd><a href={`/queue?table=${encodeURIComponent(incident.table)}`}>{incident.table}</a> {words(incident.game ?? '')}</dd>
        {incident.round && <><dt>Round</dt><dd><RoundLink id={incident.round} />{incident.seat ? ` · seat ${incident.seat}` : ''}</dd></>}
        {incident.dealer && <><dt>Dealer</dt><dd><a href={`/people/dealer/${encodeURIComponent(incident.dealer)}`}>{incident.dealer}</a></dd></>}
        {incident.player && <><dt>Patron</dt><dd><a href={`/people/patron/${encodeURIComponent(incident.player)}`}>{incident.player}</a></dd></>}
        <dt>Lost by</dt><dd><Loss cents={incident.exposure_cents} />{incident.at_stake_cents !== Math.abs(incident.exposure_cents) && <span class="faint"> of {dollars(incident.at_stake_cents)} at stake</span>}</dd>
        <dt>When</dt><dd><Brief at={incident.began} />{incident.count > 1 && <> to <Clock at={incident.last} />, {count(incident.count)} findings</>}</dd>
        <dt>State</dt>
        <dd>
          {incident.status === 'open' ? (incident.acknowledged ? 'acknowledged' : 'nobody has acknowledged it') : words(incident.status)}
          {incident.held && `, held by ${incident.held.by === me ? 'you' : incident.held.by} for ${age(incident.held.since)}`}
          {incident.level !== 'surveillance' && `, with the ${words(incident.level.replace('surveillance_', ''))}`}
        </dd>
        {incident.due_by && !incident.acknowledged && <><dt>By</dt><dd class={Date.parse(incident.due_by) < now() ? 'wrong' : ''}><Clock at={incident.due_by} /> to be acknowledged</dd></>}
        {incident.cites.length > 0 && <><dt>Rules</dt><dd class="cites">{incident.cites.join('; ')}</dd></>}
        {incident.camera && <><dt>Camera</dt><dd><a href={safe(incident.camera.url)} target="_blank" rel="noreferrer"><Clock at={incident.camera.from} /> to <Clock at={incident.camera.to} /></a>{incident.camera.offset_ms ? <span class="faint"> clock off by {incident.camera.offset_ms} ms</span> : ''}</dd></>}
      </dl>
    </div>
  );
}

/** A link of the server leads to a web page or nowhere: never to a script. */
const safe = (url: string): string | undefined => (/^(https?:\/\/|\/)/i.test(url) ? url : undefined);

function Findings({ of }: { of: Finding[] }) {
  return (
    <div class="found">
      <h2>Findings <small class="num">{count(of.length)}</small></h2>
      <ol>
        {of.slice(0, 100).map((finding) => (
          <li key={finding.id} class={`finding ${finding.severity}`}>
            <div><code>{finding.code}</code> <Clock at={finding.at} />{finding.wager && <span class="faint"> {finding.wager}</span>}</div>
            <p>{finding.message}</p>
            {finding.due !== null && finding.due !== undefined && (
              <p class="small">due <Money cents={finding.due} /> · paid <Money cents={finding.paid} /></p>
            )}
            {finding.cites.length > 0 && <p class="cites small">{finding.cites.join('; ')}</p>}
          </li>
        ))}
      </ol>
      {of.length > 100 && <p class="faint">The first 100 of {count(of.length)} are shown.</p>}
    </div>
  );
}

function Acts({ of }: { of: Act[] }) {
  if (of.length === 0) return null;
  return (
    <div class="done">
      <h2>Acts</h2>
      <ol>
        {of.map((act) => (
          <li key={act.id}>
            <Clock at={act.at} /> <b>{act.by.id}</b> {words(typeof act.deed === 'string' ? act.deed : act.deed.type)}
            {act.note && <p class="note">{act.note}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
