// `node run.mjs PROGRAM [words]`: holds the page to its points, against the real program. Words choose points; no point
// needs what another did. With CATWALK_LONG set each is held at length: longer outages, more reloads, every report. With
// SHUFFLE=N they are held in the order that this number gives.
import { createHash } from 'node:crypto';

import { AUDIT } from './audit.mjs';
import { house as houseOf } from './house.mjs';
import { browser, BUSY, demo, LONG, signedIn, SLOW, X } from './kit.mjs';
import { LIVE } from './live.mjs';
import { LOOKS } from './looks.mjs';
import { POINTS } from './points.mjs';
import { SAFE } from './safe.mjs';
import { SIGNIN } from './signin.mjs';

const [program, ...words] = process.argv.slice(2);
if (program === undefined) throw new Error('say where the program is');
const points = [...LOOKS, ...POINTS, ...LIVE, ...SAFE, ...SIGNIN, ...AUDIT];
const isOf = (point, word) => point.name.split(':')[0].split(', ').includes(word) || point.name.includes(` ${word} `);
const strange = words.filter((word) => !points.some((point) => isOf(point, word)));
if (strange.length > 0) throw new Error(`no point is called ${strange.join(', ')}; there are ${points.map((point) => point.name.split(':')[0]).join('; ')}`);
const chosen = points.filter((point) => words.length === 0 ? LONG || !point.long : words.some((word) => isOf(point, word)));
if (process.env.SHUFFLE !== undefined) {
  const place = (point) => createHash('sha256').update(`${process.env.SHUFFLE} ${point.name}`).digest('hex');
  chosen.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}
// A floor that a busy machine can play beside what it has to do.
const pace = Math.max(5, Math.round(25 / BUSY));
const options = (process.env.DEMO_OPTIONS ?? `--seed 7 --tables 30 --pace ${pace} --fault-rate 0.35`).split(' ');
// The floor that plays, and the house that has played: each only where a point asks for it.
let floor = null;
let house = null;
const playing = async () => (floor ??= await demo(program, options, { CATWALK_DESK__SILENCE_SECONDS: '6' }));
const played = async () => (house ??= await houseOf(program));
/** What a point is held in, by what it says it is of. */
const arrangements = {
  floor: async () => ({ server: (await playing()).address }),
  house: async () => ({ house: await played() }),
  program: async () => ({ program }),
};
const chrome = await browser();
if (SLOW > 1) console.log(`Times may be ${SLOW.toFixed(1)} times as long: the machine may have other work.`);
/** Holds one point; gives what it tells, or throws. */
async function held(point) {
  let x = null;
  let timer;
  try {
    const around = await arrangements[point.of ?? 'floor']();
    if (around.server !== undefined) x = await new X(around.server).listen();
    const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error('it takes more than three minutes of a free machine')), 180_000 * SLOW)));
    return await Promise.race([point.run({ chrome, x, signedIn, ...around }), late]);
  } finally {
    clearTimeout(timer);
    x?.close();
    for (const context of chrome.contexts()) await context.close().catch(() => undefined);
  }
}

const where = (error) => (error.stack ?? '').split('\n').find((line) => /\/test\/\w+\.mjs/.test(line) && !line.includes('kit.mjs')) ?? '';
const again = [];
let failed = 0;
for (const point of chosen) {
  // What has to do with time may fail once where others take the time; what is wrong fails again.
  for (const last of [false, true]) {
    const from = Date.now();
    const took = () => ((Date.now() - from) / 1000).toFixed(1);
    try {
      const told = await held(point);
      console.log(`ok   ${point.name} (${took()} s${told ? `; ${told}` : ''})`);
      break;
    } catch (error) {
      console.log(`${last ? 'FAIL' : 'once'} ${point.name} (${took()} s)\n    ${error.message}\n    ${where(error)}`);
      if (last) failed += 1;
      else again.push(point.name.split(':')[0]);
    }
  }
}
await chrome.close();
await floor?.stop();
await house?.stop();
if (again.length > 0) console.log(`tried again: ${again.join('; ')}`);
console.log(failed === 0 ? `${chosen.length} points hold, ${Math.round(performance.now() / 1000)} s` : `${failed} of ${chosen.length} points do not hold`);
process.exit(failed === 0 ? 0 : 1);
