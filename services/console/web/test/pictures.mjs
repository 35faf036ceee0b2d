// `node pictures.mjs PROGRAM FOLDER [dark|light]`: pictures of the console at work, with real data, for whoever judges
// how it looks, and for the README.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { house as houseOf } from './house.mjs';
import { ask, browser, demo, signedIn, sleep, until, visitor } from './kit.mjs';

const [program, folder, theme = 'dark'] = process.argv.slice(2);
if (program === undefined || folder === undefined) throw new Error('say where the program is, and where the pictures go');
mkdirSync(folder, { recursive: true });
const REPLAYS = ['blackjack', 'craps', 'pai_gow', 'baccarat', 'poker'];
const chrome = await browser();

const shoot = async (page, name) => {
  await until('nothing is read any more', async () => {
    const again = page.getByRole('button', { name: 'Try again' }).first();
    if (await again.count()) await again.click().catch(() => undefined);
    return (await page.locator('.loading, .failed').count()) === 0;
  }, 120_000).catch(() => undefined);
  await sleep(300);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png`);
};

/** What a page waits for; a machine with other work is asked again. */
const shown = (page, selector) => until(`${selector} is shown`, async () => {
  const again = page.getByRole('button', { name: 'Try again' }).first();
  if (await again.count()) await again.click().catch(() => undefined);
  return (await page.locator(selector).count()) > 0;
}, 240_000);

const floor = await demo(program, '--seed 7 --tables 30 --pace 6 --fault-rate 0.15'.split(' '), { CATWALK_DESK__SILENCE_SECONDS: '60' });
const page = await visitor(chrome, floor.address, '/health');
await page.evaluate((name) => localStorage.setItem('catwalk.theme', name), theme);
const rounds = await until('rounds of the five games', async () => {
  const { rounds: all = [] } = await ask(page, floor.address, '/api/v1/rounds?limit=1000');
  const of = REPLAYS.map((game) => all.find((round) => round.game === game && round.complete && round.difference_cents) ?? all.filter((round) => round.game === game && round.complete).at(0));
  return of.every(Boolean) && all.length > 150 && of;
}, 240_000);
for (const round of rounds) {
  await page.goto(`${floor.address}/rounds/${round.round}`);
  await shown(page, '.replay');
  await shoot(page, `replay-${round.game.replaceAll('_', '-')}`);
}
// An incident about a round that was paid wrongly.
const { incidents } = await ask(page, floor.address, '/api/v1/incidents?status=open&limit=1000');
const one = incidents.find((incident) => incident.round && Math.abs(incident.exposure_cents) > 5_000 && /^(black|bacc|mini|three)/.test(incident.game)) ?? incidents.find((incident) => incident.round);
await page.goto(`${floor.address}/queue/${one.id}`);
await shown(page, '.replay');
await shoot(page, 'queue');
for (const name of ['floor', 'wall', 'shift', 'log', 'duties', 'rounds', 'find', 'health', 'access', 'settings']) {
  await page.goto(`${floor.address}/${name}`);
  await page.waitForSelector('main');
  await shoot(page, name);
}
for (const [name, path] of [['rules', '/rules/mgc-2017/blackjack'], ['rules-beside', '/rules/mgc-2017/craps?with=oh-jack-2017'], ['odds', '/odds/craps'], ['ask', '/ask/findings-by-code?ask=1&chart=findings']]) {
  await page.goto(floor.address + path);
  await page.waitForSelector('main');
  await shoot(page, name);
}
await page.context().close();
await floor.stop();

const house = await houseOf(program);
const auditor = await signedIn(chrome, house, 'auditor', '/health');
await auditor.evaluate((name) => localStorage.setItem('catwalk.theme', name), theme);
await auditor.goto(`${house.address}/reports/master-game/2026-11-15`);
await shown(auditor, '[data-report]');
await shoot(auditor, 'report');
await auditor.goto(`${house.address}/reports/master-game/2026-11-15/why?cell=win&first=2026-11-15&last=2026-11-15&table=B6-01`);
await shown(auditor, '[data-figure]');
await shoot(auditor, 'report-why');
await house.stop();
await chrome.close();
