// `node pictures.mjs PROGRAM FOLDER [dark|light|contrast] [WIDTHxHEIGHT]`: pictures of the console at work, with real
// data, for whoever judges how it looks, and for the README; then what it shows when there is nothing, when the server
// refuses, and when names are long. Of several themes and sizes, such as `dark,light 1280x720,3840x2160`, each moment is
// taken in all of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { house as houseOf } from './house.mjs';
import { ask, browser, demo, signedIn, sleep, until, visitor, X } from './kit.mjs';

const [program, folder, theme = 'dark', size = '1280x720', only = ''] = process.argv.slice(2);
if (program === undefined || folder === undefined) throw new Error('say where the program is, and where the pictures go');
mkdirSync(folder, { recursive: true });
const themes = theme.split(',');
const sizes = size.split(',').map((one) => {
  const [width, height] = one.split('x').map(Number);
  return { width, height };
});
const viewport = sizes[0];
const isOne = themes.length * sizes.length === 1;
const REPLAYS = ['blackjack', 'craps', 'pai_gow', 'baccarat', 'poker', 'roulette', 'sic_bo', 'big_six', 'pai_gow_poker', 'three_card_poker', 'mississippi_stud'];
const PAGES = {
  floor: '/floor', wall: '/wall', shift: '/shift', log: '/log', duties: '/duties', rounds: '/rounds', find: '/find?q=bj', health: '/health', access: '/access', settings: '/settings', cases: '/cases', people: '/people', dealer: '/people/dealer/d-101',
  patron: '/people/patron/p-BJ-03-1', set: '/sets/deck-1', rules: '/rules/mgc-2017/blackjack', 'rules-beside': '/rules/mgc-2017/craps?with=oh-jack-2017', odds: '/odds/craps', questions: '/ask', ask: '/ask/findings-by-code?ask=1&chart=findings', nowhere: '/rounds/no-such-round',
  reports: '/reports',
};
const chrome = await browser();
const is = (part) => only === '' || only.split(',').includes(part);

const shoot = async (page, name) => {
  await until('nothing is read any more', async () => {
    const again = page.getByRole('button', { name: 'Try again' }).first();
    if (await again.count()) await again.click().catch(() => undefined);
    return (await page.locator('.loading, .failed').count()) === 0;
  }, 120_000).catch(() => undefined);
  await still(page, name);
};

const still = async (page, name) => {
  for (const of of sizes) {
    if (sizes.length > 1) await page.setViewportSize(of);
    for (const look of themes) {
      if (themes.length > 1) await page.evaluate((to) => (document.documentElement.dataset.theme = to), look);
      await sleep(300);
      const file = isOne ? `${name}.png` : `${name}-${look}-${of.width}.png`;
      await page.screenshot({ path: join(folder, file) });
      console.log(file);
    }
  }
  if (sizes.length > 1) await page.setViewportSize(viewport);
};

/** What a page waits for; a machine with other work is asked again. */
const shown = (page, selector) => until(`${selector} is shown`, async () => {
  const again = page.getByRole('button', { name: 'Try again' }).first();
  if (await again.count()) await again.click().catch(() => undefined);
  return (await page.locator(selector).count()) > 0;
}, 240_000);

const plays = ['replays', 'queue', 'pages', 'states'].some(is);
const floor = plays ? await demo(program, '--seed 7 --tables 30 --pace 6 --fault-rate 0.15'.split(' '), { CATWALK_DESK__SILENCE_SECONDS: '60' }) : null;
const x = plays ? await new X(floor.address).listen() : null;
const page = plays ? await visitor(chrome, x.address, '/health', { viewport }) : null;
await page?.evaluate((name) => localStorage.setItem('catwalk.theme', name), themes[0]);
const go = async (path) => {
  await page.goto(x.address + path);
  await page.waitForSelector('main');
};

let one = null;
if (is('replays') || is('states') || is('queue')) {
  const rounds = await until('rounds of the games', async () => {
    const { rounds: all = [] } = await ask(page, floor.address, '/api/v1/rounds?limit=1000');
    const of = REPLAYS.map((game) => all.find((round) => round.game === game && round.complete && round.difference_cents) ?? all.filter((round) => round.game === game && round.complete).at(0));
    return of.every(Boolean) && all.length > 150 && of;
  }, 400_000);
  for (const round of is('replays') ? rounds : []) {
    await go(`/rounds/${round.round}`);
    await shown(page, '.replay');
    await shoot(page, `replay-${round.game.replaceAll('_', '-')}`);
  }
  // An incident about a round that was paid wrongly.
  const { incidents } = await ask(page, floor.address, '/api/v1/incidents?status=open&limit=1000');
  one = incidents.find((incident) => incident.round && Math.abs(incident.exposure_cents) > 5_000 && /^(black|bacc|mini|three)/.test(incident.game)) ?? incidents.find((incident) => incident.round);
}
if (is('queue')) {
  await go(`/queue/${one.id}`);
  await shown(page, '.replay');
  await shoot(page, 'queue');
  await page.keyboard.press('d');
  await page.waitForSelector('dialog');
  await still(page, 'queue-dispose');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.waitForSelector('.help');
  await still(page, 'queue-keys');
  await page.keyboard.press('Escape');
  await page.locator('.who summary').click();
  await still(page, 'queue-menu');
}
for (const [name, path] of is('pages') ? Object.entries(PAGES) : []) {
  await go(path);
  await shoot(page, name);
}
if (is('states')) {
  // Nothing, refusals, long names: what a night brings sooner or later.
  const empty = (value) => (Array.isArray(value) ? [] : value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, key === 'columns' ? part : empty(part)])) : typeof value === 'number' ? 0 : value);
  x.rewrite = (url, value) => (/\/(session|rules|odds|queries)\b/.test(url) ? value : empty(value));
  x.quiet();
  x.cut();
  for (const name of ['floor', 'wall', 'shift', 'log', 'duties', 'rounds', 'cases', 'reports']) {
    await go(PAGES[name]);
    await shoot(page, `none-${name}`);
  }
  await go('/queue');
  await still(page, 'none-queue');
  const WORD = 'Wolfeschlegelsteinhausenbergerdorff-van-der-Meulen';
  const long = (value, key = '') => (typeof value === 'string' ? (['headline', 'message', 'dealer', 'player', 'summary', 'what', 'operator', 'authority'].includes(key) ? `${value} ${WORD} ${WORD}` : value)
    : Array.isArray(value) ? value.map((part) => long(part, key)) : value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, long(part, name)])) : value);
  x.rewrite = (url, value) => (/\/session/.test(url) ? { ...value, user: { ...value.user, name: `${WORD} ${WORD}` } } : /\/rules/.test(url) ? value : long(value));
  for (const [name, path] of [['queue', `/queue/${one.id}`], ['floor', '/floor'], ['wall', '/wall'], ['shift', '/shift'], ['duties', '/duties'], ['rounds', '/rounds'], ['round', `/rounds/${one.round}`]]) {
    await go(path);
    await shoot(page, `long-${name}`);
  }
  x.rewrite = null;
  x.broken = { error: 'the archive could not be read: disk full', code: 'unavailable' };
  for (const name of ['rounds', 'log', 'shift', 'duties', 'cases', 'rules', 'reports']) {
    await go(PAGES[name]);
    await sleep(1_000);
    await still(page, `bad-${name}`);
  }
  x.broken = null;
  await go(`/queue/${one.id}`);
  await shown(page, '.replay');
  x.stalled = true;
  await sleep(4_000);
  await still(page, 'bad-stalled');
  x.release();
  const stranger = await (await chrome.newContext({ viewport })).newPage();
  await stranger.goto(floor.address);
  await stranger.evaluate((name) => localStorage.setItem('catwalk.theme', name), themes[0]);
  await stranger.reload();
  await stranger.waitForSelector('.signin');
  await still(stranger, 'sign-in');
}
await page?.context().close();
x?.close();
await floor?.stop();

const house = is('reports') || is('under') ? await houseOf(program) : null;
if (is('reports')) {
  const auditor = await signedIn(chrome, house, 'auditor', '/health', { viewport });
  await auditor.evaluate((name) => localStorage.setItem('catwalk.theme', name), themes[0]);
  await auditor.goto(`${house.address}/reports/master-game/2026-11-15`);
  await shown(auditor, '[data-report]');
  await shoot(auditor, 'report');
  await auditor.goto(`${house.address}/reports/master-game/2026-11-15/why?cell=win&first=2026-11-15&last=2026-11-15&table=B6-01`);
  await shown(auditor, '[data-figure]');
  await shoot(auditor, 'report-why');
  await auditor.goto(`${house.address}/print/rounds?table=RO-02`);
  await auditor.waitForSelector('.sheets tbody tr', { timeout: 120_000 });
  await shoot(auditor, 'print-rounds');
  await auditor.context().close();
}
if (is('under')) {
  // An investigator without a case, choosing one, and under it.
  const investigator = await signedIn(chrome, house, 'investigator', '/health', { viewport });
  await investigator.evaluate((name) => localStorage.setItem('catwalk.theme', name), themes[0]);
  await investigator.goto(`${house.address}/rounds?table=RO-02`);
  await shown(investigator, '.list tbody a.num');
  await investigator.locator('.list tbody a.num').first().click();
  await shown(investigator, '.replay');
  await shoot(investigator, 'under-none');
  await investigator.keyboard.press('v');
  await investigator.waitForSelector('dialog input[name=under]');
  await investigator.keyboard.type('26-0117');
  await still(investigator, 'under-choose-none');
  await investigator.getByRole('button', { name: 'Open a new one' }).click();
  await investigator.fill('dialog textarea[name=note]', 'Late wagers at RO-02, told of by the pit');
  await investigator.click('dialog .main');
  await investigator.waitForSelector('[data-under]');
  await still(investigator, 'under-not-yet');
  await until('the archive has the case', async () => (await investigator.locator('.under-case.refused').count()) === 0 && (await investigator.locator('.due .patron').first().innerText()).startsWith('p-'), 120_000);
  await shoot(investigator, 'under');
  await investigator.locator('.due .patron').first().click();
  await shoot(investigator, 'under-patron');
  await investigator.keyboard.press('v');
  await investigator.waitForSelector('[data-choose]');
  await still(investigator, 'under-choose');
}
await house?.stop();
await chrome.close();
