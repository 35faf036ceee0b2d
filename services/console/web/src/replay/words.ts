// A step in a sentence, as `catwalk round` tells it.
import { dollars, words } from '../base/money';
import type { Body } from '../base/types';

function whose(body: Body): string {
  const base: Record<string, string> = {
    player: 'the player’s hand', banker: 'the banker’s hand', dealer: 'the dealer', community: 'the community', bank: 'the bank', dead_hand: 'the dead hand',
  };
  const place = body.to === 'seat' ? `seat ${body.seat ?? '?'}` : (base[body.to] ?? String(body.to));
  return body.hand > 1 ? `${place}, hand ${body.hand}` : place;
}

function on(body: Body): string {
  const detail = body.detail;
  if (detail === null || typeof detail !== 'object') return '';
  const parts = Object.entries(detail).map(([key, value]) => {
    const said = Array.isArray(value) ? value.join(' ') : String(value);
    return ['number', 'numbers', 'dice', 'color', 'column', 'dozen'].includes(key) ? said : `${words(key)} ${said}`;
  });
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
}

const void_ = (body: Body): string => (body.valid === false ? ', but it does not count' : '');
const because = (body: Body): string => (body.reason ? `: ${words(String(body.reason))}` : '');

const SAID: Record<string, (body: Body) => string> = {
  round_opened: (body) => (body.shoe ? `Betting opens; dealt from ${body.shoe}.` : 'Betting opens.'),
  wager_placed: (body) => `Seat ${body.seat} puts ${dollars(body.amount)} on ${words(body.kind)}${on(body)} (${body.wager}).`,
  wager_changed: (body) => `${body.wager} is changed to ${dollars(body.amount)} by ${body.by?.id ?? body.by}.`,
  wager_removed: (body) => `${body.wager} is taken back by ${body.by?.id ?? body.by}.`,
  betting_closed: (body) => (body.window && body.window !== 'main' ? `No more bets (${words(body.window)}).` : 'No more bets.'),
  card_dealt: (body) => `${body.card ?? 'A card'} to ${whose(body)}${body.face === 'down' ? ', face down' : ''}.`,
  card_revealed: (body) => `Card ${body.index + 1} of ${whose(body)} is ${body.card}.`,
  card_burned: (body) => `${body.card ?? 'A card'} is burned.`,
  dice_rolled: (body) => `The dice show ${body.dice.join(', ')}${void_(body)}.`,
  wheel_spun: (body) => `The wheel stops at ${words(String(body.result)) || 'nothing'}${void_(body)}.`,
  tiles_dealt: (body) => `${body.tiles ? body.tiles.join(' ') : 'Four tiles'} to ${whose(body)}.`,
  decision: (body) => `${body.seat === 0 ? 'The dealer' : `Seat ${body.seat}`}: ${words(body.action)}${body.amount ? ` ${dollars(body.amount)}` : ''}.`,
  hand_set: (body) => `${whose(body)} sets ${body.high.join(' ')}${body.low.length > 0 ? ` and ${body.low.join(' ')}` : ''}.`,
  irregularity: (body) => `Irregularity: ${words(body.kind)}; ruling: ${body.ruling}.`,
  wager_paid: (body) => `${body.wager} is paid ${dollars(body.amount)}${body.commission ? `, less ${dollars(body.commission)} commission` : ''}.`,
  wager_collected: (body) => `${body.wager} is collected${body.amount ? ` (${dollars(body.amount)})` : ''}.`,
  wager_pushed: (body) => `${body.wager} is pushed${body.amount ? ` (${dollars(body.amount)})` : ''}.`,
  commission_collected: (body) => `${dollars(body.amount)} commission is collected for ${body.wager}.`,
  pot_awarded: (body) => `${body.pot === 0 ? 'The main pot' : `Side pot ${body.pot}`}, ${dollars(body.amount)}, goes to seat ${body.seat}.`,
  rake_taken: (body) => `${dollars(body.amount)} rake is taken.`,
  jackpot_drop_taken: (body) => `${dollars(body.amount)} is dropped for the jackpot.`,
  cards_counted: (body) => `${body.count} cards are counted.`,
  round_closed: (body) => `The round is over${because(body)}.`,
  round_voided: (body) => `The round is declared void${because(body)}.`,
};

export function sentence(body: Body): string {
  const said = SAID[body.type];
  if (said !== undefined) {
    const text = said(body);
    // The name of a wager stays as it is.
    return text.startsWith(`${body.wager} `) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  }
  const { type, ...rest } = body;
  const parts = Object.entries(rest).map(([key, value]) => `${words(key)} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return `${words(type).replace(/^./, (first) => first.toUpperCase())}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}
