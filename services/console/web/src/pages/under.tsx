// Under which case one looks, above every page.
import { useEffect, useState } from 'preact/hooks';

import { askedAnew, isHeld, isRefused, lookUnder, underCase } from '../base/case';
import { Kbd } from '../parts/bits';

/** A case that was opened a moment ago is asked for again after so long, and no more often: each time goes on record. */
const AGAIN_MS = [1_500, 3_000, 6_000, 12_000, 24_000];

export function Under({ onChoose }: { onChoose: () => void }) {
  const number = underCase.value;
  const refused = isRefused.value;
  const [turn, setTurn] = useState(0);
  useEffect(() => setTurn(0), [number]);
  useEffect(() => {
    const wait = AGAIN_MS[turn];
    if (!refused || wait === undefined) return;
    const timer = setTimeout(() => {
      setTurn(turn + 1);
      askedAnew.value += 1;
    }, wait);
    return () => clearTimeout(timer);
  }, [refused, turn, number]);
  if (number === '') return null;
  return (
    <div class={`under-case${refused ? ' refused' : ''}`} role="status" data-under={number}>
      <span class="which">Under case <a href={`/cases/${encodeURIComponent(number)}`}>{number}</a></span>
      <span class="said">
        {refused ? 'The archive has no open case of this number, or not yet: patrons go by other names.'
          : isHeld.value ? 'Patrons have their ids. Each question is on record under this case.' : 'Each question is on record under this case. The first answer says whether it is open.'}
      </span>
      <button onClick={onChoose}>Another <Kbd>v</Kbd></button>
      <button onClick={() => lookUnder('', '')}>Leave the case</button>
    </div>
  );
}

/** The same for a sheet of paper. */
export const underOnPaper = (): string => (underCase.value === '' ? '' : ` · under case ${underCase.value}`);
