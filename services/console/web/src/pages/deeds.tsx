// What needs more than a key: to whom, or why.
import { useState } from 'preact/hooks';

import { session } from '../base/api';
import { act, actOnAll, type Deed, type DeedName, failures } from '../base/acts';
import { incidents } from '../base/live';
import { centsOf, words } from '../base/money';
import { now } from '../base/time';
import type { Incident } from '../base/types';
import { Kbd } from '../parts/bits';
import { Dialog } from '../parts/dialog';

const VERDICTS: [key: string, verdict: string, about: string][] = [
  ['c', 'dealer_error_corrected', 'Dealer error, corrected'],
  ['w', 'dealer_error_uncorrected', 'Dealer error, not corrected'],
  ['p', 'patron_cheating_suspected', 'Patron suspected of cheating'],
  ['y', 'employee_suspected', 'Employee suspected'],
  ['v', 'advantage_play', 'Advantage play'],
  ['q', 'equipment', 'Equipment'],
  ['r', 'procedure', 'Procedure'],
  ['g', 'feed_fault', 'Fault of the feed'],
  ['l', 'rule_configuration', 'Rules set wrongly'],
  ['h', 'false_alarm', 'False alarm'],
  ['b', 'duplicate', 'Duplicate'],
  ['i', 'referred_ieb', 'Referred to the IEB'],
];

const SUSPECTS = ['patron_cheating_suspected', 'employee_suspected', 'referred_ieb'];
const TITLES: Partial<Record<DeedName, string>> = { dispose: 'Dispose', assign: 'Assign', escalate: 'Escalate', note: 'Note' };

export function DeedDialog({ deed, of, onClose }: { deed: DeedName; of: string[]; onClose: () => void }) {
  // An act rests on what was seen when the dialog opened; what came since is for the server to point out.
  const [seen, setSeen] = useState(() => of.map((id) => incidents.get(id)).filter((found): found is Incident => found !== undefined));
  const [verdict, setVerdict] = useState('');
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState('');
  const first = seen[0];
  const needsReviewer = SUSPECTS.includes(verdict) || seen.some((incident) => incident.priority === 1);
  const submit = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    if (deed === 'dispose' && verdict === '') {
      setWhy('Choose a verdict first.');
      return;
    }
    const wanted: Deed = { deed, note: text('note') || undefined };
    if (deed === 'assign' || deed === 'escalate') wanted.to = text('to');
    if (deed === 'dispose') {
      const recovered = text('recovered');
      wanted.disposal = {
        verdict,
        recovered_cents: recovered === '' ? null : centsOf(recovered),
        case: text('case') || null,
        reviewer: text('reviewer') || null,
        video: text('video') || null,
        notified: text('whom') === '' ? [] : [{ whom: text('whom'), at: new Date(now()).toISOString(), how: text('how') || 'told by the room' }],
      };
      if (recovered !== '' && wanted.disposal.recovered_cents === null) {
        setWhy(`“${recovered}” is no amount of money such as 125 or 1,250.50.`);
        return;
      }
    }
    setBusy(true);
    if (seen.length === 1 && first !== undefined) {
      if (await act(first, wanted)) return onClose();
      setWhy(failures.value.get(first.id)?.why ?? 'It was refused.');
      setSeen(of.map((id) => incidents.get(id)).filter((found): found is Incident => found !== undefined));
      setBusy(false);
      return;
    }
    await actOnAll(seen, wanted);
    onClose();
  };
  const title = `${TITLES[deed] ?? deed} ${seen.length === 1 ? `· ${first?.table ?? ''}` : `· ${seen.length} incidents`}`;
  // In the list of verdicts a letter chooses; then the reason has the focus.
  const keys = deed !== 'dispose' ? [] : VERDICTS.map(([key, name, about]) => ({
    keys: [key], does: about, group: 'Verdict',
    run: () => {
      setVerdict(name);
      requestAnimationFrame(() => document.getElementById('reason')?.focus());
    },
  }));
  return (
    <Dialog title={title} onClose={onClose} keys={keys}>
      <form class="deed" onSubmit={submit} data-incident={first?.id}>
        {seen.length === 1 && <p class="faint">{first?.headline}</p>}
        {deed === 'dispose' && (
          <div role="radiogroup" aria-label="Verdict" class="verdicts">
            {VERDICTS.map(([key, name, about], index) => (
              <label key={name} class="choice">
                <input type="radio" name="verdict" value={name} checked={verdict === name} data-first={index === 0 ? '' : undefined} onChange={() => setVerdict(name)} />
                <Kbd>{key}</Kbd> {about}
              </label>
            ))}
          </div>
        )}
        {deed === 'assign' && <label>To whom<input name="to" required data-first autoComplete="off" /></label>}
        {deed === 'escalate' && (
          <label>To
            <select name="to" data-first>
              <option value="surveillance_supervisor">{words('surveillance_supervisor')}</option>
              <option value="surveillance_director">{words('surveillance_director')}</option>
            </select>
          </label>
        )}
        <label>
          {deed === 'dispose' ? 'Reason' : 'Note'}
          <textarea
            id="reason" name="note" rows={3} required={deed === 'note' || deed === 'dispose'} data-first={deed === 'note' ? '' : undefined}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        {deed === 'dispose' && (
          <div class="two">
            <label>Reviewer{needsReviewer ? ', another person than you' : ', if any'}<input name="reviewer" autoComplete="off" required={needsReviewer} placeholder={needsReviewer ? `not ${session.value?.user.id}` : ''} /></label>
            <label>Recovered, in dollars<input name="recovered" inputMode="decimal" autoComplete="off" /></label>
            <label>Case<input name="case" autoComplete="off" /></label>
            <label>Recording<input name="video" autoComplete="off" placeholder="its number" /></label>
            <label>Told, outside the room<input name="whom" autoComplete="off" placeholder="the Bureau’s agent" /></label>
            <label>How<input name="how" autoComplete="off" placeholder="by telephone" /></label>
          </div>
        )}
        {why !== '' && <p class="wrong" role="alert">{why}</p>}
        <div class="actions"><button class="main" disabled={busy}>{TITLES[deed]} <Kbd>Enter</Kbd></button><button type="button" onClick={onClose}>Cancel <Kbd>Esc</Kbd></button></div>
      </form>
    </Dialog>
  );
}
