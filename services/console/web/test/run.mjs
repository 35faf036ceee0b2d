// `node run.mjs PROGRAM [words]`: holds the page to its points, against the real program. Words choose points.
import { browser, demo, SLOW, X } from './kit.mjs';
import { LOOKS } from './looks.mjs';
import { POINTS } from './points.mjs';

const [program, ...words] = process.argv.slice(2);
if (program === undefined) throw new Error('say where the program is');
const points = [...LOOKS, ...POINTS];
const chosen = points.filter((point) => words.length === 0 || words.some((word) => point.name.split(':')[0].split(', ').includes(word) || point.name.includes(` ${word} `)));
const options = (process.env.DEMO_OPTIONS ?? '--seed 7 --tables 30 --pace 25 --fault-rate 0.35').split(' ');
const house = await demo(program, options, { CATWALK_DESK__SILENCE_SECONDS: '6' });
const chrome = await browser();
if (SLOW > 1) console.log(`This machine has other work: times may be ${SLOW.toFixed(1)} times as long.`);
let failed = 0;
for (const point of chosen) {
  const x = await new X(house.address).listen();
  const from = Date.now();
  try {
    const told = await Promise.race([
      point.run({ chrome, x, server: house.address }),
      new Promise((_, fail) => setTimeout(() => fail(new Error('it takes more than three minutes of a free machine')), 180_000 * SLOW)),
    ]);
    console.log(`ok   ${point.name} (${((Date.now() - from) / 1000).toFixed(1)} s${told ? `; ${told}` : ''})`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${point.name}\n    ${error.message}\n    ${(error.stack ?? '').split('\n').find((line) => line.includes('points.mjs') || line.includes('looks.mjs')) ?? ''}`);
  } finally {
    x.close();
    for (const context of chrome.contexts()) await context.close().catch(() => undefined);
  }
}
await chrome.close();
await house.stop();
console.log(failed === 0 ? `${chosen.length} points hold` : `${failed} of ${chosen.length} points do not hold`);
process.exit(failed === 0 ? 0 : 1);
