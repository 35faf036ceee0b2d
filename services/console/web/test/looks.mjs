// How it looks and reads: contrast, names for all, dark from the first frame, every game drawn.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ask, drawn, equal, holds, LONG, ROUTES, settled, SLOW, until, visit, visitor } from './kit.mjs';
import { rows, someRound } from './points.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What is drawn, as text: an element's attributes in the order of their names, which is not that of their making. */
const DRAWING = () => {
  globalThis.drawing = () => {
    const text = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'));
      const attributes = [...node.attributes].map(({ name, value }) => ` ${name}="${value.replaceAll('"', '&quot;')}"`).sort().join('');
      return `<${node.tagName}${attributes}>${[...node.childNodes].map(text).join('')}</${node.tagName}>`;
    };
    return text(document.querySelector('.felt'));
  };
};

/** What axe finds wrong. It is put in by the debugger, since the page lets no script in. */
export async function axe(page) {
  if (await page.evaluate(() => globalThis.axe === undefined)) await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  return found.violations.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? node.failureSummary}`).join(' | ')}`);
}

/** The mean luminance of a picture, 0 to 1, worked out by a browser. */
async function luminance(page, png) {
  const blank = await page.context().newPage();
  const mean = await blank.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    let sum = 0;
    const linear = (value) => (value <= 10.3 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    for (let at = 0; at < bytes.length; at += 4) sum += 0.2126 * linear(bytes[at]) + 0.7152 * linear(bytes[at + 1]) + 0.0722 * linear(bytes[at + 2]);
    return sum / (bytes.length / 4);
  }, png.toString('base64'));
  await blank.close();
  return mean;
}

/** The luminance of each pixel of a picture, of which none is coloured. */
async function greys(page, png) {
  const blank = await page.context().newPage();
  const found = await blank.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    const values = [];
    let coloured = 0;
    for (let at = 0; at < bytes.length; at += 4) {
      coloured += Number(Math.abs(bytes[at] - bytes[at + 1]) > 6 || Math.abs(bytes[at] - bytes[at + 2]) > 6);
      const value = bytes[at] / 255;
      values.push(value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }
    return { values, coloured, least: Math.min(...values), most: Math.max(...values) };
  }, png.toString('base64'));
  await blank.close();
  return found;
}

export const LOOKS = [
  {
    name: '21: axe finds nothing on any route, dark and light, with a dialog open',
    async run({ chrome, x, server }) {
      const all = [];
      // Colours are what differs by theme: where time is short, the light one is looked at where they are many.
      const MANY = ['/queue', '/wall', '/floor', '/log', '/duties', '/rules/mgc-2017/craps?with=oh-jack-2017', '/ask/findings-by-code?ask=1', '/find?q=BJ', '/access'];
      let looked = 0;
      for (const theme of ['dark', 'light', 'contrast']) {
        const page = await visitor(chrome, x.address);
        await page.addInitScript((name) => localStorage.setItem('catwalk.theme', name), theme);
        await page.reload();
        await page.waitForSelector('.top');
        await page.evaluate(AXE);
        const round = await someRound(page, server);
        const one = [`/rounds/${round}`, `/print/round/${round}`];
        for (const route of LONG || theme === 'dark' ? [...ROUTES, ...one] : theme === 'light' ? [...MANY, ...one] : ['/queue', '/wall', ...one]) {
          await visit(page, route);
          await settled(page);
          await drawn(page);
          looked += 1;
          if (route === '/queue') {
            await rows(page, 2);
            await page.keyboard.press('j');
            await page.waitForSelector('.facts-of, .facts');
            await settled(page);
          }
          all.push(...(await axe(page)).map((violation) => `${theme} ${route}: ${violation}`));
          if (route !== '/queue') continue;
          await page.keyboard.press('d');
          await page.waitForSelector('dialog');
          await drawn(page);
          all.push(...(await axe(page)).map((violation) => `${theme} ${route} dialog: ${violation}`));
          await page.keyboard.press('Escape');
          await page.locator('dialog').waitFor({ state: 'detached' });
          await page.keyboard.press('?');
          await page.waitForSelector('.help');
          await drawn(page);
          all.push(...(await axe(page)).map((violation) => `${theme} ${route} keys: ${violation}`));
        }
        await page.context().close();
      }
      // Before anybody is signed in; where there are users, it is looked at where they sign in.
      const stranger = await (await chrome.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
      await stranger.goto(`${x.address}/`);
      await stranger.getByRole('button', { name: 'Look at the demo' }).waitFor();
      all.push(...(await axe(stranger)).map((violation) => `sign-in: ${violation}`));
      await stranger.context().close();
      holds(all.length === 0, [...new Set(all)].join('\n    '));
      return `${looked} looks`;
    },
  },
  {
    name: '22: without colour, priorities differ by number and shape; badges have contrast',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address, '/wall');
      await until('badges', async () => (await page.locator('.wall-counts .badge').count()) === 4);
      const badges = await page.evaluate(() => [...document.querySelectorAll('.wall-counts .badge')].map((badge) => ({
        text: badge.querySelector('b').textContent, shape: badge.querySelector('svg').innerHTML,
        ink: getComputedStyle(badge.querySelector('b')).color, fill: getComputedStyle(badge.querySelector('svg')).fill, ground: getComputedStyle(document.body).backgroundColor, stroke: getComputedStyle(badge.querySelector('svg')).stroke,
      })));
      equal(new Set(badges.map((badge) => badge.text)).size, 4, 'numbers');
      equal(new Set(badges.map((badge) => badge.shape)).size, 4, 'shapes');
      const parse = (text) => (text.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
      const light = (text) => {
        const [r, g, b] = parse(text).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (one, other) => {
        const [a, b] = [light(one), light(other)].sort((p, q) => q - p);
        return (a + 0.05) / (b + 0.05);
      };
      for (const badge of badges) {
        const shape = badge.fill === 'none' ? badge.stroke : badge.fill;
        holds(contrast(shape, badge.ground) >= 3, `badge ${badge.text} on the ground: ${contrast(shape, badge.ground)}`);
        if (badge.fill !== 'none') holds(contrast(badge.fill, badge.ink) >= 3, `badge ${badge.text}: ${contrast(badge.fill, badge.ink)}`);
      }
      // The same as somebody sees it who sees no colour: by its pixels.
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type: 'achromatopsia' });
      const seen = [];
      for (const badge of await page.locator('.wall-counts .badge').all()) seen.push(await greys(page, await badge.screenshot()));
      for (const [at, one] of seen.entries()) {
        holds(one.coloured === 0, 'there is colour left');
        holds((one.most + 0.05) / (one.least + 0.05) >= 3, `badge ${at + 1} without colour: ${one.least} to ${one.most}`);
        for (const other of seen.slice(at + 1)) {
          const differ = one.values.filter((value, pixel) => Math.abs(value - (other.values[pixel] ?? 0)) > 0.1).length / one.values.length;
          holds(differ > 0.04, `two badges differ in ${(differ * 100).toFixed(1)} % of their pixels only`);
        }
      }
      await page.context().close();
    },
  },
  {
    name: '23: the first frame is dark, and the queue stays dark',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 5);
      await page.keyboard.press('j');
      await page.waitForSelector('.facts-of, .facts');
      await settled(page);
      await drawn(page);
      const mean = await luminance(page, await page.screenshot());
      // The style is there before anything is painted: a page whose script never comes is dark too.
      await page.route('**/main-*.js', (route) => route.abort());
      await page.goto(`${x.address}/queue`);
      const first = await luminance(page, await page.screenshot());
      await page.context().close();
      holds(mean < 0.15, `mean luminance ${mean}`);
      holds(first < 0.05, `luminance of the first frame ${first}`);
      return `luminance ${(mean * 100).toFixed(1)} %, first frame ${(first * 100).toFixed(1)} %`;
    },
  },
  {
    name: '22, 24: a round of every game: forward and back give the same drawing, and the drawing is the one that is kept; a suit has its letter',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/rounds');
      await page.addInitScript(DRAWING);
      await page.reload();
      await page.waitForSelector('.top');
      const { games } = await ask(page, server, '/api/v1/rules');
      const folder = join(here, 'drawings');
      mkdirSync(folder, { recursive: true });
      const wanted = new Set(games.map((game) => game.game));
      const found = new Map();
      await until('a round of every game is in the archive', async () => {
        // The first minutes of the floor, however long it has played.
        const { tables } = await ask(page, server, '/api/v1/floor');
        const first = tables.map((table) => table.opened_at).sort()[0];
        if (first === undefined) return false;
        const end = new Date(Date.parse(first) + 6 * 60_000).toISOString();
        const { rounds = [] } = await ask(page, server, `/api/v1/rounds?limit=1000&until=${end}`);
        for (const round of rounds) if (round.round.endsWith('-000001')) found.set(round.game, round.round);
        return found.size === wanted.size;
      }, 100_000 * SLOW).catch((error) => {
        throw new Error(`${error.message}: ${[...wanted].filter((game) => !found.has(game))}`);
      });
      const wrong = [];
      const stories = new Map();
      page.on('response', (answer) => {
        const id = new URL(answer.url()).pathname.split('/api/v1/rounds/')[1];
        if (id !== undefined && answer.ok()) stories.set(id, answer.json().catch(() => null));
      });
      let [all, suits] = [0, 0];
      for (const [game, id] of [...found].sort()) {
        await visit(page, `/rounds/${id}?step=0`);
        // Where the archive has much to do, whoever looks tries again.
        await until(`${game} is drawn`, async () => {
          const again = page.getByRole('button', { name: 'Try again' });
          if (await again.count()) await again.click().catch(() => undefined);
          return stories.has(id) && (await page.locator(`.replay[data-game=${game}][data-step="0"]`).count()) > 0;
        }, 60_000 * SLOW);
        const story = await stories.get(id);
        const steps = new Set(story.events.map((event) => event.seq)).size;
        equal(Number(await page.locator('.replay').getAttribute('data-steps')), steps, `steps of ${game}`);
        // The steps in words are those of the engine, in its order.
        const seqs = [...new Set(story.events.map((event) => event.seq))].sort((a, b) => a - b);
        equal(await page.evaluate(() => [...document.querySelectorAll('.steps li .num')].map((one) => Number(one.textContent))), seqs, `the steps in words of ${game}`);
        const seen = await page.evaluate(async (count) => {
          const drawing = () => globalThis.drawing();
          const to = async (key, step) => {
            dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            while (document.querySelector('.replay').dataset.step !== String(step)) await new Promise((done) => setTimeout(done));
          };
          const forward = [drawing()];
          for (let step = 1; step <= count; step += 1) {
            await to('ArrowRight', step);
            forward.push(drawing());
          }
          const back = [drawing()];
          for (let step = count - 1; step >= 0; step -= 1) {
            await to('ArrowLeft', step);
            back.unshift(drawing());
          }
          return { forward, same: forward.every((one, at) => one === back[at]) };
        }, steps);
        holds(seen.same, `${game}: back is not what forward was`);
        all += steps;
        const drawn = seen.forward.map((one) => one.replace(/></g, '>\n<')).join('\n\n');
        const bad = /NaN|undefined|null|Infinity/.exec(drawn);
        holds(bad === null, `${game}: ${bad?.[0]} in the drawing`);
        // Whoever sees no colour reads the suit of a card that is known by its letter.
        const cards = drawn.match(/<g class="card(?![^"]*unseen)[^"]*"/g) ?? [];
        equal((drawn.match(/class="suit-letter"[^>]*>(S|H|D|C|JK)</g) ?? []).length, cards.length, `letters of suits of ${game}`);
        suits += cards.length;
        // The last step is kept in full: what it shows follows from all before it.
        const last = seen.forward.at(-1).replace(/></g, '>\n<') + '\n';
        const file = join(folder, `${game}.svg`);
        if (process.env.CATWALK_RENEW || !existsSync(file)) writeFileSync(file, last);
        else if (readFileSync(file, 'utf8') !== last) wrong.push(game);
        if (LONG || ['blackjack', 'craps', 'pai_gow'].includes(game)) {
          const half = Math.floor(steps / 2);
          await page.goto(`${x.address}/rounds/${id}?step=${half}`);
          await page.waitForSelector('.replay');
          equal(await page.locator('.replay').getAttribute('data-step'), String(half), `the step of ${game} after a reload`);
          equal(await page.evaluate(() => globalThis.drawing()), seen.forward[half], `the drawing of ${game} after a reload`);
        }
      }
      await page.context().close();
      holds(wrong.length === 0, `drawn otherwise than kept (CATWALK_RENEW=1 keeps the new ones): ${wrong}`);
      holds(suits > 100, `only ${suits} cards were looked at`);
      return `${found.size} games, ${all} steps, ${suits} cards`;
    },
  },
];
