// Cards, chips, dice and tiles, drawn by our own hand.
import { chips } from '../base/money';

const SUITS: Record<string, string> = {
  S: 'M0-9C5-4 9 0 9 4C9 8 3 9 1 5L3 10H-3L-1 5C-3 9-9 8-9 4C-9 0-5-4 0-9Z',
  H: 'M0 9C-6 4-9 0-9-4C-9-9-2-9 0-4C2-9 9-9 9-4C9 0 6 4 0 9Z',
  D: 'M0-10L8 0L0 10L-8 0Z',
  C: 'M0-9A4.6 4.6 0 0 1 3.6-1.6A4.6 4.6 0 1 1 1 5L3 10H-3L-1 5A4.6 4.6 0 1 1-3.6-1.6A4.6 4.6 0 0 1 0-9Z',
};

export const CARD_W = 44;
export const CARD_H = 62;

export function Card({ x, y, card, up, now, scale = 1 }: { x: number; y: number; card: string | null; up: boolean; now?: boolean; scale?: number }) {
  const known = card !== null && card !== '??';
  const rank = card === 'JK' ? '★' : (card?.slice(0, -1) ?? '');
  const suit = card === 'JK' ? '' : (card?.slice(-1) ?? '');
  const red = suit === 'H' || suit === 'D';
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`} class={`card${now ? ' now' : ''}${known ? (red ? ' red' : '') : ' unseen'}${known && !up ? ' face-down' : ''}`}>
      <rect x="0" y="0" width={CARD_W} height={CARD_H} rx="5" />
      {known ? (
        <>
          <text x="5" y="23" class="rank">{rank === 'T' ? '10' : rank}</text>
          <text x="39" y="56" class="suit-letter" text-anchor="end">{suit || 'JK'}</text>
          {SUITS[suit] && <path d={SUITS[suit]} transform="translate(15 44)" class="suit" />}
          {!up && <path class="corner" d={`M${CARD_W - 14} 0H${CARD_W - 5}A5 5 0 0 1 ${CARD_W} 5V14Z`} />}
        </>
      ) : (
        <>
          <path class="back" d="M7 7h30v48H7zM7 31L22 7l15 24-15 24z" />
          <text x="22" y="40" class="unknown" text-anchor="middle">?</text>
        </>
      )}
    </g>
  );
}

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function Die({ x, y, face, off, now }: { x: number; y: number; face: number; off?: boolean; now?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`} class={`die${off ? ' off' : ''}${now ? ' now' : ''}`}>
      <rect x="-24" y="-24" width="48" height="48" rx="8" />
      {(PIPS[face] ?? []).map(([dx, dy]) => <circle key={`${dx} ${dy}`} cx={dx * 13} cy={dy * 13} r="4.6" />)}
    </g>
  );
}

/** A domino of pai gow: one and four are red, and half of the twelve. */
export function Tile({ x, y, tile, now, scale = 1 }: { x: number; y: number; tile: string | null; now?: boolean; scale?: number }) {
  const halves = tile?.split('-').map(Number) ?? [];
  const half = (face: number, cy: number) =>
    (PIPS[face] ?? []).map(([dx, dy], index) => (
      <circle key={`${cy} ${index}`} cx={16 + dx * 9} cy={cy + dy * 8.5} r="3.2" class={face === 1 || face === 4 || (tile === '6-6' && dx < 0) ? 'red' : ''} />
    ));
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`} class={`tile${now ? ' now' : ''}${tile === null ? ' unseen' : ''}`}>
      <rect x="0" y="0" width="32" height="68" rx="5" />
      {tile === null ? <text x="16" y="42" class="unknown" text-anchor="middle">?</text> : <>{half(halves[0] ?? 0, 18)}{half(halves[1] ?? 0, 50)}</>}
    </g>
  );
}

export function Chip({ x, y, amount, state, now, before, label }: { x: number; y: number; amount: number; state: string; now?: boolean; before?: boolean; label?: string }) {
  return (
    <g transform={`translate(${x} ${y})`} class={`stake ${state}${now ? ' now' : ''}${before ? ' before' : ''}`}>
      <circle class="edge" r="19" /><circle class="face" r="14" />
      <text class="amount" y="4.5" text-anchor="middle">{chips(amount)}</text>
      {label !== undefined && <text class="whose" y="-23" text-anchor="middle">{label}</text>}
    </g>
  );
}
