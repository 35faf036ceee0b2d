// How each game's table looks, as data: one renderer draws them all. Lengths are of a table of 1000 by 660.

export interface Box {
  /** `kind`, or `kind:what` for a number or a set of numbers. */
  key: string;
  x: number;
  y: number;
  w: number;
  h: number;
  label: string;
  /** A second line, such as the odds on the felt. */
  small?: string;
  tone?: 'red' | 'black' | 'green' | 'plain';
}

export interface Layout {
  shape: 'arc' | 'oval' | 'board';
  seats: number;
  /** Where hands of the house and of all lie. */
  places: Record<string, [x: number, y: number, label: string]>;
  /** Circles before each seat, in order from the dealer's side. */
  spots: string[];
  /** Circles that are drawn only where a wager lies. */
  extra?: string[];
  boxes?: Box[];
  dice?: [x: number, y: number];
  wheel?: { x: number; y: number; r: number; kind: 'roulette' | 'big_six' };
  dead?: [x: number, y: number];
}

/** What the felt says: short, since the circles are small. */
export const LABELS: Record<string, string> = {
  main: 'Bet', ante: 'Ante', bet: 'Bet', play: 'Play', blind: 'Blind', trips: 'Trips', bonus: 'Bonus', progressive: 'Prog', pair_plus: 'Pair+',
  six_card_bonus: '6 card', cover_all: 'Cover', aces_up: 'Aces up', super_bonus: 'Super', queens_up: 'Queens', two_way_bad_beat: 'Bad beat',
  five_card_bonus_player: '5 card', five_card_bonus_dealer: '5 dealer', caribbean_bonus: 'Bonus', double_down: 'Double', bet_1: '1', bet_2: '2', bet_3: '$',
  three_card_bonus: '3 card', let_it_ride_bonus: 'Bonus', third_street: '3rd', fourth_street: '4th', fifth_street: '5th', flop: 'Flop', turn: 'Turn', river: 'River',
  pai_gow_poker: 'Bet', fortune_bonus: 'Fortune', envy: 'Envy', tiger_9: 'Tiger 9', fortune_progressive: 'Prog', seven_card_bonus: '7 card', number: 'Number',
  pai_gow: 'Bet', bank: 'Bank', dealer_vs_bank: 'v bank', original: 'Bet', raise: 'Raise', insurance: 'Insur', double: 'Double', split: 'Split', push_22: 'Push 22',
  free_double: 'Free ×2', free_split: 'Free spl', match_the_dealer: 'Match', over_13: 'Over', under_13: 'Under', trilux: 'TriLux', surrender: 'Surr',
  player: 'P', banker: 'B', tie: 'T', dragon_bonus_player: 'DrP', dragon_bonus_banker: 'DrB', house_money: 'House', house_money_press: 'Press', fortune_7: 'F 7',
  banco: 'Banco', banco_suivi: 'Suivi', punt: 'Punt', punco: 'Punco', streak_2: 'St 2', streak_3: 'St 3', streak_4: 'St 4', streak_5: 'St 5', call: 'Call', forced_bet: 'Forced', kill_blind: 'Kill',
  pass: 'P', pass_odds: 'Od', dont_pass: 'DP', dont_pass_odds: 'Od', come: 'C', come_odds: 'Od', dont_come: 'DC', dont_come_odds: 'Od', place: 'Pl', place_lose: 'PL-', buy: 'Buy', lay: 'Lay', put: 'Put', put_odds: 'Od',
};

const DEALER: Layout['places'] = { dealer: [500, 48, 'Dealer'] };
const BOARD: Layout['places'] = { dealer: [500, 48, 'Dealer'], community: [500, 168, 'Community'] };
const HANDS: Layout['places'] = { player: [330, 96, 'Player'], banker: [670, 96, 'Banker'] };

const arc = (seats: number, spots: string[], places: Layout['places'] = DEALER, more: Partial<Layout> = {}): Layout => ({ shape: 'arc', seats, places, spots, ...more });

// ---- Boards -----------------------------------------------------------------------------------------

const SIX = [4, 5, 6, 8, 9, 10];
const TEN = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const NAMES: Record<number, string> = { 6: 'SIX', 9: 'NINE' };

function crapsBoxes(numbers: number[], dont: boolean): Box[] {
  const left = dont ? 110 : 20;
  const wide = (690 - left) / numbers.length;
  const boxes: Box[] = numbers.map((number, index) => ({
    key: `number:${number}`, x: left + index * wide, y: 20, w: wide, h: 168, label: NAMES[number] ?? String(number),
  }));
  if (dont) boxes.push({ key: 'dont_come', x: 20, y: 20, w: 90, h: 168, label: 'Don’t come' });
  boxes.push(
    { key: 'come', x: 20, y: 188, w: 670, h: 92, label: 'COME' },
    { key: 'field', x: 20, y: 280, w: 670, h: 84, label: 'FIELD', small: '2 3 4 9 10 11 12' },
  );
  if (dont) boxes.push({ key: 'dont_pass', x: 20, y: 364, w: 670, h: 76, label: 'DON’T PASS' });
  const pass = dont ? 440 : 364;
  boxes.push(
    { key: 'pass', x: 20, y: pass, w: 670, h: 92, label: 'PASS LINE' },
    { key: 'odds', x: 20, y: pass + 92, w: 670, h: 548 + 92 - pass - 92, label: 'Odds and put' },
  );
  const bets: [string, string][] = [
    ['any_seven', 'Any seven'], ['any_craps', 'Any craps'],
    ['hard:4', 'Hard 4'], ['hard:10', 'Hard 10'], ['hard:6', 'Hard 6'], ['hard:8', 'Hard 8'],
    ['craps_two', 'Two'], ['craps_three', 'Three'], ['craps_twelve', 'Twelve'], ['eleven', 'Eleven'],
    ['horn', 'Horn'], ['c_and_e', 'C & E'], ['whirl', 'Whirl / world'], ['hop', 'Hop'], ['fire', 'Fire'], ['six_seven_eight', '6 7 8'],
  ];
  bets.forEach(([key, label], index) => boxes.push({ key, x: 706 + (index % 2) * 137, y: 148 + Math.floor(index / 2) * 61.5, w: 137, h: 61.5, label }));
  return boxes;
}

const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

function rouletteBoxes(): Box[] {
  const boxes: Box[] = [];
  const x = 352;
  const w = 45;
  const h = 62;
  const y = 212;
  boxes.push({ key: 'number:00', x: x - w, y, w, h: h * 1.5, label: '00', tone: 'green' }, { key: 'number:0', x: x - w, y: y + h * 1.5, w, h: h * 1.5, label: '0', tone: 'green' });
  for (let number = 1; number <= 36; number += 1) {
    const column = Math.ceil(number / 3) - 1;
    const row = 2 - ((number - 1) % 3);
    boxes.push({ key: `number:${number}`, x: x + column * w, y: y + row * h, w, h, label: String(number), tone: RED.has(number) ? 'red' : 'black' });
  }
  for (const column of [1, 2, 3]) boxes.push({ key: `column:${column}`, x: x + 12 * w, y: y + (3 - column) * h, w: 52, h, label: '2:1' });
  for (const dozen of [1, 2, 3]) boxes.push({ key: `dozen:${dozen}`, x: x + (dozen - 1) * 4 * w, y: y + 3 * h, w: 4 * w, h: 62, label: ['1st 12', '2nd 12', '3rd 12'][dozen - 1] ?? '' });
  const even: [string, string][] = [['low', '1–18'], ['even', 'Even'], ['red', 'Red'], ['black', 'Black'], ['odd', 'Odd'], ['high', '19–36']];
  even.forEach(([key, label], index) => boxes.push({ key, x: x + index * 2 * w, y: y + 3 * h + 62, w: 2 * w, h: 62, label, tone: key === 'red' ? 'red' : key === 'black' ? 'black' : 'plain' }));
  boxes.push({ key: 'color', x, y: 124, w: 12 * w, h: 72, label: 'Colours and neighbours' });
  return boxes;
}

function sicBoBoxes(): Box[] {
  const boxes: Box[] = [
    { key: 'small', x: 20, y: 130, w: 150, h: 128, label: 'SMALL', small: '4 to 10' },
    { key: 'big', x: 830, y: 130, w: 150, h: 128, label: 'BIG', small: '11 to 17' },
    { key: 'any_three_of_a_kind', x: 425, y: 130, w: 150, h: 128, label: 'Any triple' },
  ];
  [1, 2, 3].forEach((number, index) => {
    boxes.push({ key: `two_of_a_kind:${number}`, x: 170 + index * 42.5, y: 130, w: 42.5, h: 128, label: `${number}${number}` });
    boxes.push({ key: `three_of_a_kind:${number}`, x: 297.5 + index * 42.5, y: 130, w: 42.5, h: 128, label: `${number}${number}${number}` });
  });
  [4, 5, 6].forEach((number, index) => {
    boxes.push({ key: `three_of_a_kind:${number}`, x: 575 + index * 42.5, y: 130, w: 42.5, h: 128, label: `${number}${number}${number}` });
    boxes.push({ key: `two_of_a_kind:${number}`, x: 702.5 + index * 42.5, y: 130, w: 42.5, h: 128, label: `${number}${number}` });
  });
  for (let total = 4; total <= 17; total += 1) boxes.push({ key: `total:${total}`, x: 20 + (total - 4) * (960 / 14), y: 258, w: 960 / 14, h: 130, label: String(total) });
  let at = 0;
  for (let one = 1; one <= 6; one += 1)
    for (let other = one + 1; other <= 6; other += 1) {
      boxes.push({ key: `combination:${one},${other}`, x: 20 + at * 64, y: 388, w: 64, h: 118, label: `${one}–${other}` });
      at += 1;
    }
  for (let number = 1; number <= 6; number += 1) boxes.push({ key: `one_of_a_kind:${number}`, x: 20 + (number - 1) * 160, y: 506, w: 160, h: 126, label: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX'][number - 1] ?? '' });
  return boxes;
}

const INSIGNIA: [string, string, string][] = [
  ['insignia_1', '$1', '1 to 1'], ['insignia_2', '$2', '2 to 1'], ['insignia_5', '$5', '5 to 1'], ['insignia_10', '$10', '10 to 1'], ['insignia_20', '$20', '20 to 1'], ['joker', 'Joker', '45 to 1'], ['flag', 'Flag', '45 to 1'],
];

const bigSixBoxes = (): Box[] =>
  INSIGNIA.map(([key, label], index) => ({ key, x: 20 + index * (960 / 7), y: 420, w: 960 / 7, h: 220, label }));

// ---- All thirty ---------------------------------------------------------------------------------------

const BLACKJACK = ['main'];
const board = (boxes: Box[], more: Partial<Layout> = {}): Layout => ({ shape: 'board', seats: 0, places: {}, spots: [], boxes, ...more });

export const LAYOUTS: Record<string, Layout> = {
  baccarat: arc(14, ['player', 'banker', 'tie'], HANDS),
  midibaccarat: arc(9, ['player', 'banker', 'tie'], HANDS),
  minibaccarat: arc(7, ['player', 'banker', 'tie'], HANDS),
  dragon_bonus_baccarat_commission_free: arc(7, ['player', 'banker', 'tie'], HANDS),
  chemin_de_fer: arc(10, ['punt'], { player: [330, 96, 'Player'], banker: [670, 96, 'Bank'] }),
  blackjack: arc(7, BLACKJACK),
  free_bet_blackjack: arc(7, ['main', 'push_22']),
  spanish_21: arc(7, ['main', 'match_the_dealer']),
  red_dog: arc(7, ['original', 'raise'], { community: [500, 96, 'First · third · second'] }),
  caribbean_stud: arc(7, ['ante', 'bet', 'progressive']),
  three_card_poker: arc(7, ['ante', 'play', 'pair_plus']),
  four_card_poker: arc(7, ['ante', 'play', 'aces_up']),
  crazy_four_poker: arc(7, ['ante', 'play', 'super_bonus']),
  dj_wild: arc(7, ['ante', 'blind', 'play']),
  double_down_stud: arc(7, ['bet', 'double_down']),
  let_it_ride: arc(7, ['bet_1', 'bet_2', 'bet_3'], { community: [500, 96, 'Community'] }),
  mississippi_stud: arc(7, ['ante', 'third_street', 'fourth_street', 'fifth_street'], { community: [500, 96, 'Community'] }),
  texas_holdem_bonus: arc(7, ['ante', 'flop', 'turn', 'river'], BOARD),
  ultimate_texas_holdem: arc(7, ['ante', 'blind', 'play', 'trips'], BOARD),
  colorado_holdem: arc(7, ['ante', 'bet', 'bonus'], { community: [500, 96, 'Community'] }),
  fast_action_holdem: arc(7, ['main', 'split'], BOARD),
  pai_gow_poker: arc(7, ['pai_gow_poker'], DEALER),
  commission_free_pai_gow_poker: arc(7, ['pai_gow_poker', 'fortune_bonus'], DEALER),
  pai_gow: arc(7, ['pai_gow'], { dealer: [500, 60, 'Dealer'], bank: [790, 60, 'Bank'] }, { dice: [112, 74], dead: [206, 60] }),
  poker: { shape: 'oval', seats: 10, places: { community: [500, 300, 'Board'] }, spots: [] },
  craps: board(crapsBoxes(SIX, true), { dice: [842, 72] }),
  crapless_craps: board(crapsBoxes(TEN, false), { dice: [842, 72] }),
  roulette: board(rouletteBoxes(), { wheel: { x: 156, y: 320, r: 132, kind: 'roulette' } }),
  sic_bo: board(sicBoBoxes(), { dice: [500, 64] }),
  big_six: board(bigSixBoxes(), { wheel: { x: 500, y: 208, r: 190, kind: 'big_six' } }),
};

for (const name of ['pai_gow_poker', 'commission_free_pai_gow_poker']) {
  const layout = LAYOUTS[name];
  if (layout !== undefined) layout.dice = [120, 74];
}

/** A game that came after this page was built: seats, hands and circles, without the look of its felt. */
export const PLAIN: Layout = arc(7, [], { ...BOARD, player: [250, 96, 'Player'], banker: [750, 96, 'Banker'] }, { dice: [120, 90] });

export const layoutOf = (game: string): Layout => LAYOUTS[game] ?? PLAIN;

const COMPOSITE: Record<string, string> = { world: 'whirl', horn_high: 'horn', pass_odds: 'odds', dont_pass_odds: 'odds', put_odds: 'odds' };

/** The box of the board that a wager lies in. */
export function boxKey(kind: string, detail: Record<string, any>, point: number | undefined): string {
  if (['place', 'place_lose', 'buy', 'lay', 'put'].includes(kind) && detail.number !== undefined) return `number:${detail.number}`;
  if (['come', 'dont_come'].includes(kind) && point !== undefined) return `number:${point}`;
  if (COMPOSITE[kind] !== undefined) return COMPOSITE[kind];
  if (kind.endsWith('_color') || ['seven_numbers', 'five_adjacent'].includes(kind)) return 'color';
  if (Array.isArray(detail.numbers)) return `${kind}:${detail.numbers.join(',')}`;
  for (const key of ['number', 'column', 'dozen']) if (detail[key] !== undefined) return `${kind}:${detail[key]}`;
  return kind;
}

export const ROULETTE_DOUBLE = '0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2'.split(' ');
export const ROULETTE_SINGLE = '0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26'.split(' ');
export const isRed = (pocket: string): boolean => RED.has(Number(pocket));
