// What needs no browser: times, money, the order of the list, the words of a step.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A part of the page as a module of its own, with just enough of a browser around it. */
async function part(entry) {
  const made = await build({
    entryPoints: [join(web, entry)], bundle: true, write: false, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'],
    jsx: 'automatic', jsxImportSource: 'preact', target: 'es2022',
  });
  return `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString('base64')}`;
}

const AROUND = `
globalThis.location = { pathname: '/', search: '' };
globalThis.addEventListener = () => {};
globalThis.document = { addEventListener() {} };
globalThis.history = { pushState() {}, replaceState() {} };
`;

/** Runs a script over a part in a process of its own, in this time zone. */
async function told(entry, script, zone = 'UTC') {
  const code = `${AROUND}const m = await import(${JSON.stringify(await part(entry))}); ${script}; process.exit(0);`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { env: { ...process.env, TZ: zone }, encoding: 'utf8' }).trim();
}

const TIMES = `
m.session.value = { user: {}, house: { zone: 'America/New_York', gaming_day_begins: '06:00', name: 'x' } };
console.log(JSON.stringify([
  m.clock('2026-11-01T05:30:00.000000Z'), m.clock('2026-11-01T06:30:00.000000Z'), m.clock('2026-11-01T12:30:00Z'),
  m.moment('2026-03-08T07:30:00Z'), m.gamingDay(Date.parse('2026-11-15T10:59:00Z')), m.gamingDay(Date.parse('2026-11-15T11:00:00Z')),
  m.fromHouse('2026-11-15T20:01'), m.fromHouse('2026-07-15T20:01:30'),
]))`;

test('times are the house’s whatever the zone of the machine, and the two half past ones of the night can be told apart', async () => {
  const wanted = ['01:30:00 EDT', '01:30:00 EST', '07:30:00', '2026-03-08 03:30:00 EDT', '2026-11-14', '2026-11-15', '2026-11-16T01:01:00.000Z', '2026-07-16T00:01:30.000Z'];
  for (const zone of ['Asia/Tokyo', 'America/New_York', 'UTC']) assert.deepEqual(JSON.parse(await told('test/parts/time.ts', TIMES, zone)), wanted, zone);
});

test('money is whole cents, and says who lost it', async () => {
  const script = `console.log(JSON.stringify([m.dollars(123456789), m.dollars(-5), m.dollars(null), m.chips(2500), m.chips(2550), m.loss(-7200), m.loss(330), m.loss(0).text]))`;
  const written = `console.log(JSON.stringify(['125', '$1,250.50', '1.005', '1e3', '', '-5', '12,34', '0.29', '999999999999.99'].map(m.centsOf)))`;
  assert.deepEqual(JSON.parse(await told('src/base/money.ts', written)), [12500, 125050, null, null, null, null, null, 29, 99999999999999]);
  assert.deepEqual(JSON.parse(await told('src/base/money.ts', script)), ['$1,234,567.89', '−$0.05', '–', '$25', '$25.50', { who: 'patron', text: '$72.00' }, { who: 'house', text: '$3.30' }, '–']);
});

test('arrivals wait, priority 1 enters its lane, and nothing above the focused row goes away', async () => {
  const script = `
const one = (id, priority, began, more = {}) => ({ id, priority, began, status: 'open', codes: [], headline: id, table: 'T', ...more });
const open = [one('c', 3, '3'), one('a', 1, '1'), one('b', 2, '2'), one('d', 3, '4')];
let order = m.fresh(open);
const seen = [order];
order = m.after(order, [...open, one('e', 1, '9'), one('f', 2, '0')], 'd');
seen.push(order);
order = m.after(order, [open[0], open[3], one('e', 1, '9')], 'd');
seen.push(order);
order = m.after(order, [open[0], one('e', 1, '9')], 'c');
seen.push(order);
console.log(JSON.stringify(seen.map(({ lane, list, waiting, over }) => [lane.join(''), list.join(''), waiting.join(''), over])))`;
  assert.deepEqual(JSON.parse(await told('src/pages/order.ts', script)), [
    ['a', 'bcd', '', 0],
    ['ae', 'bcd', 'f', 0],
    // a and b were closed: they stand above the focused row, and stay until the user clears them.
    ['ae', 'bcd', '', 2],
    // d is below the focused row, and goes.
    ['ae', 'bc', '', 2],
  ]);
});

test('what presses more than what rang, or was acknowledged, rings anew', async () => {
  const script = `
const one = (id, priority, revision, acknowledged) => ({ id, priority, revision, acknowledged, status: 'open', began: '0', rings_at: new Date(0).toISOString() });
const heard = {};
globalThis.EventSource = class { addEventListener(name, take) { heard[name] = take; } close() {} };
const snapshot = { incidents: [one('old', 3, 1, null)], offset: 0, head: 0 };
globalThis.fetch = async (path) => ({ ok: true, status: 200, json: async () => path.includes('floor') ? { tables: [] } : snapshot });
const rang = [];
const feed = new m.Feed({ ring: (incident) => rang.push(incident.id + incident.priority), hush() {}, batch() {}, link() {}, signedOut() {} });
while (!heard.incident) await new Promise((done) => setTimeout(done, 5));
let offset = 0;
const comes = (incident) => heard.incident({ data: JSON.stringify(incident), lastEventId: String(++offset) });
comes(one('old', 1, 2, null));
comes(one('new', 3, 1, null));
comes(one('new', 3, 2, '2026-01-01T00:00:00Z'));
comes(one('new', 2, 3, null));
comes(one('new', 2, 4, null));
comes(one('held', 2, 1, '2026-01-01T00:00:00Z'));
comes(one('held', 1, 2, '2026-01-01T00:00:00Z'));
console.log(JSON.stringify(rang))`;
  assert.deepEqual(JSON.parse(await told('src/base/feed.ts', script)), ['old1', 'new2']);
});

test('a step is told in the words of the floor, and what is not known is told all the same', async () => {
  const script = `console.log(JSON.stringify([
    m.sentence({ type: 'wager_placed', seat: 3, amount: 2500, kind: 'six_numbers', wager: 'w1', detail: { numbers: ['1', '2'] } }),
    m.sentence({ type: 'card_dealt', to: 'seat', seat: 2, hand: 2, face: 'down' }),
    m.sentence({ type: 'wager_paid', wager: 'w1', amount: 19500, commission: 975 }),
    m.sentence({ type: 'dice_rolled', dice: [6, 6], valid: false }),
    m.sentence({ type: 'robot_moved', arm: 3 }),
  ]))`;
  assert.deepEqual(JSON.parse(await told('src/replay/words.ts', script)), [
    'Seat 3 puts $25.00 on six numbers 1 2 (w1).', 'A card to seat 2, hand 2, face down.', 'w1 is paid $195.00, less $9.75 commission.',
    'The dice show 6, 6, but it does not count.', 'Robot moved: arm 3.',
  ]);
});

test('a bet on the next roll travels to its number, and going back takes it from there', async () => {
  const script = `
const event = (seq, body) => ({ id: String(seq), table: 'CR', seq, at: '2026-01-01T00:00:0' + seq + 'Z', body });
const round = m.roundOf('craps', { events: [
  event(1, { type: 'round_opened' }), event(2, { type: 'wager_placed', wager: 'b1', seat: 1, kind: 'come', amount: 500 }),
  event(3, { type: 'dice_rolled', dice: [4, 2], valid: true }), event(3, { type: 'dice_rolled', dice: [4, 2], valid: true }), event(4, { type: 'dice_rolled', dice: [3, 4], valid: true }),
], document: null, wagers: [], findings: [{ id: 'f', code: 'pay.over', wager: 'b1', at: '2026', evidence: [2] }, { id: 'g', code: 'x', resolves: 'f', at: '2026', evidence: [3] }] });
console.log(JSON.stringify([round.steps.length, round.faulty, ...[0, 2, 3, 4, 3].map((step) => { const table = m.tableAt(round, step); return [table.point, table.bets[0]?.point ?? null]; })]))`;
  assert.deepEqual(JSON.parse(await told('src/replay/model.ts', script)), [4, [2], [null, null], [null, null], [6, 6], [null, 6], [6, 6]]);
});

test('every card of every kept drawing says its suit by a letter, red or black alike', () => {
  const folder = join(web, 'test', 'drawings');
  let cards = 0;
  for (const name of readdirSync(folder)) {
    const drawing = readFileSync(join(folder, name), 'utf8').replaceAll('\n', '');
    for (const [, kind, inside] of drawing.matchAll(/<g class="card([^"]*)"[^>]*>(.*?)<\/g>/g)) {
      if (kind.includes('unseen')) continue;
      const suit = /class="suit-letter"[^>]*>([^<]*)</.exec(inside)?.[1];
      assert.match(suit ?? '', /^([CDHS]|JK)$/, name);
      assert.equal(kind.includes('red'), suit === 'D' || suit === 'H', `${name}: ${suit}`);
      cards += 1;
    }
  }
  assert.ok(cards > 100, `${cards} cards`);
});

test('a pair that is split is two hands, and it is the card of the step that is marked', async () => {
  const script = `
const event = (seq, body) => ({ id: String(seq), table: 'BJ', seq, at: '2026-01-01T00:00:0' + seq + 'Z', body });
const dealt = (seq, card, hand) => event(seq, { type: 'card_dealt', to: 'seat', seat: 3, card, face: 'up', ...(hand ? { hand } : {}) });
const round = m.roundOf('blackjack', { events: [
  dealt(1, '8C'), dealt(2, '8S'), event(3, { type: 'decision', seat: 3, action: 'split' }), dealt(4, '8H'), event(5, { type: 'decision', seat: 3, action: 'split' }), dealt(6, 'KH', 2), dealt(7, 'KD', 3),
  event(8, { type: 'card_revealed', to: 'seat', seat: 3, hand: 2, index: 0, card: 'AS' }),
], document: null, wagers: [], findings: [] });
const hands = (step) => { const table = m.tableAt(round, step); return [...table.hands].map(([place, cards]) => place + ' ' + cards.map((held) => held.card + (table.now.has(place) && held.seq === table.seq ? '!' : '')).join(' ')); };
console.log(JSON.stringify([2, 3, 5, 8, 3].map(hands)))`;
  assert.deepEqual(JSON.parse(await told('src/replay/model.ts', script)), [
    ['seat:3 8C 8S!'], ['seat:3 8C', 'seat:3:2 8S'], ['seat:3 8C', 'seat:3:2 8S', 'seat:3:3 8H'],
    ['seat:3 8C', 'seat:3:2 AS! KH', 'seat:3:3 8H KD'], ['seat:3 8C', 'seat:3:2 8S'],
  ]);
});
