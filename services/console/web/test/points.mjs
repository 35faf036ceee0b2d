// What the console is held to, point by point (the numbers are those of the list it was built against).
import { ask, BUSY, caughtUp, drawn, equal, focusedId, heardAll, holds, idle, ids, LONG, ROUTES, settled, SLOW, sleep, tab, until, visit, visitor } from './kit.mjs';

const OPEN = '/api/v1/incidents?status=open&limit=20000';
const banner = (page) => page.locator('.banners').innerText();
const icon = (page) => page.evaluate(() => document.getElementById('icon').getAttribute('href'));
const live = (page) => page.locator('.live').getAttribute('data-live');
const chosen = (page) => page.evaluate(() => location.pathname.split('/')[2] ?? null);

/** Waits until the page has so many rows. */
export const rows = (page, count, ms = 30_000) => until(`${count} rows`, async () => (await ids(page)).length >= count, ms * SLOW);

/** An open incident of the floor, as soon as there is one; the floor may have just begun. */
export const someIncident = (page, server, is = () => true) => until('the floor has such an incident', async () => {
  const { incidents = [] } = await ask(page, server, '/api/v1/incidents?status=open&limit=1000');
  return incidents.find(is);
}, 120_000 * SLOW);

/** The last round of the archive, as soon as there is one. */
export const someRound = (page, server) => until('the archive has a round', async () => {
  const { rounds = [] } = await ask(page, server, '/api/v1/rounds?limit=1');
  return rounds[0]?.round;
}, 120_000 * SLOW);

/** All ids that the page has, by walking its list; none may stand there twice. */
async function allIds(page) {
  await page.keyboard.press('.');
  await drawn(page);
  const [found, doubled] = await page.evaluate(async () => {
    // By its list and its place there: a row that is seen again while one scrolls is the same.
    const places = new Map();
    const twice = new Set();
    for (const [nth, box] of document.querySelectorAll('.queue-list .rows').entries()) {
      for (let top = 0; top <= box.scrollHeight; top += 200) {
        box.scrollTop = top;
        // However slow it is: what is to be seen here is drawn, from edge to edge.
        const edges = () => {
          const { top: from, bottom: to } = box.getBoundingClientRect();
          const drawn = [...box.querySelectorAll('.row')].map((row) => row.getBoundingClientRect()).filter((row) => row.bottom > from && row.top < to);
          const seen = drawn.reduce((sum, row) => sum + Math.min(row.bottom, to) - Math.max(row.top, from), 0);
          return seen >= Math.min(box.clientHeight, box.scrollHeight) - 4;
        };
        for (let frame = 0; frame < 2 || (frame < 120 && !edges()); frame += 1) await new Promise((done) => requestAnimationFrame(done));
        const here = [...box.querySelectorAll('.item')].map((row) => row.dataset.incident);
        for (const id of here) {
          if ((places.get(id) ?? nth) !== nth || here.filter((one) => one === id).length > 1) twice.add(id);
          places.set(id, nth);
        }
      }
      box.scrollTop = 0;
    }
    return [[...places.keys()].sort(), [...twice]];
  });
  equal(doubled, [], 'incidents that stand there twice');
  return found;
}

/** What the server has before and after is on the page, and nothing that it has neither time: the floor plays on. Where
 *  rows change their places while they are looked at, it is looked again; what is wrong stays wrong. */
async function agrees(page, server) {
  for (let looks = 1; ; looks += 1) {
    try {
      const before = await openIds(page, server);
      await caughtUp(page, server);
      const has = await allIds(page);
      const later = await openIds(page, server);
      equal(before.filter((one) => later.includes(one) && !has.includes(one)), [], 'incidents that the page lacks');
      equal(has.filter((one) => !before.includes(one) && !later.includes(one)), [], 'incidents that only the page has');
      return has.length;
    } catch (error) {
      if (looks === 4) throw error;
    }
  }
}

const openIds = async (page, server) => (await ask(page, server, OPEN)).incidents.map((incident) => incident.id).sort();

/** The same incidents many times over, with ids of their own. */
export function multiply(value, count) {
  const incidents = [];
  for (let nth = 0; nth < count; nth += 1) {
    const one = value.incidents[nth % value.incidents.length];
    incidents.push({ ...one, id: `${one.id}-${nth}`, priority: 2 + (nth % 3), acknowledged: one.acknowledged });
  }
  return { ...value, incidents };
}

export const POINTS = [
  {
    name: '1, 2: ten thousand open incidents: first row in time, at most 80 rows, no long task while scrolling',
    async run({ chrome, x }) {
      const first = await visitor(chrome, x.address);
      await rows(first, 3);
      const storageState = await first.context().storageState();
      await first.context().close();
      x.rewrite = (url, value) => (url.startsWith('/api/v1/incidents?') && value.incidents ? multiply(value, 10_000) : value);
      // A browser of its own, that has nothing of the first: its worker asks for the snapshot anew.
      const context = await chrome.newContext({ viewport: { width: 1280, height: 720 }, storageState });
      context.setDefaultTimeout(30_000 * SLOW);
      const fresh = await context.newPage();
      await fresh.addInitScript(() => {
        const look = () => {
          if (document.querySelector('.queue-list .item') && !globalThis.firstRow) globalThis.firstRow = Date.now();
          if (!globalThis.firstRow) requestAnimationFrame(look);
        };
        addEventListener('DOMContentLoaded', look);
        globalThis.longTasks = [];
        new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
      });
      await fresh.goto(`${x.address}/queue`);
      await until('the first row', () => fresh.evaluate(() => globalThis.firstRow), 15_000 * SLOW);
      const took = (await fresh.evaluate(() => globalThis.firstRow)) - x.snapshotSentAt;
      const drawn = await fresh.evaluate(() => document.querySelectorAll('.row').length);
      await until('all are counted', async () => (await fresh.evaluate(() => [...document.querySelectorAll('.count')].reduce((sum, one) => sum + Number(one.dataset.count), 0))) >= 10_000, 30_000 * SLOW);
      await idle(fresh);
      const long = await fresh.evaluate(async () => {
        globalThis.longTasks.length = 0;
        const box = document.querySelector('.queue-list .rows:not(.pinned)');
        const end = performance.now() + 5_000;
        let top = 0;
        while (performance.now() < end) {
          top = (top + 380) % (box.scrollHeight - 600);
          box.scrollTop = top;
          await new Promise((done) => requestAnimationFrame(done));
        }
        return globalThis.longTasks;
      });
      const most = await fresh.evaluate(() => document.querySelectorAll('.row').length);
      x.rewrite = null;
      await context.close();
      holds(took < 200 * SLOW, `the first row came ${took} ms after the snapshot`);
      holds(Math.max(drawn, most) <= 80, `${Math.max(drawn, most)} rows are drawn`);
      holds(long.filter((ms) => ms > 50 * SLOW).length === 0, `long tasks while scrolling: ${long}`);
      return `first row ${took} ms after the snapshot, ${most} rows drawn, long tasks ${long.length}`;
    },
  },
  {
    name: '3, 5, 10: stalled with the socket open: said within two seconds; then a burst, counted whole, and the focused row stays',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 8);
      for (let nth = 0; nth < 7; nth += 1) await page.keyboard.press('j');
      const id = await focusedId(page);
      const counted = x.events.length;
      x.stalled = true;
      const from = Date.now();
      await until('the banner', async () => (await banner(page)).includes('Not live'), 2_600 * SLOW);
      const took = Date.now() - from;
      holds((await page.title()).includes('NOT LIVE'), 'the title says so');
      holds((await icon(page)).includes('lost'), 'the favicon says so');
      equal(await live(page), 'lost', 'the state');
      const box = await page.locator('.row.focused').boundingBox();
      await sleep(LONG ? 30_000 : 4_000);
      x.release();
      await until('live again', async () => (await live(page)) !== 'lost', 10_000 * SLOW);
      await caughtUp(page, server);
      await drawn(page);
      const after = await page.locator('.row.focused').boundingBox();
      equal(await focusedId(page), id, 'the focused row');
      const began = Date.now();
      await page.keyboard.press('j');
      await until('j answers', async () => (await focusedId(page)) !== id, 1_000 * SLOW);
      const answered = Date.now() - began;
      holds(Math.abs(after.y - box.y) <= 1, `the focused row moved by ${after.y - box.y}`);
      await agrees(page, server);
      await page.context().close();
      const burst = x.events.slice(counted).filter((told) => told.event === 'incident').length;
      return `banner after ${took} ms, ${burst} incidents held back, j after ${answered} ms`;
    },
  },
  {
    name: '4: priority 1 is in its lane, with a tone, within two seconds of the append; priority 2 within five',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      await page.keyboard.press('j');
      const inLane = async () => Number(await page.locator('.lane').getAttribute('data-count'));
      let [first, at] = [null, null];
      while (at === null) {
        const [before, size] = [x.events.length, await inLane()];
        first = await until('a new incident of priority 1', () => x.events.slice(before).find((told) => told.event === 'incident' && told.data.priority === 1 && told.data.acts === 0 && told.data.count === 1), 60_000 * SLOW);
        // It may be resolved at once, or turn out to be less.
        const isGone = () => x.events.some((told) => told.event === 'incident' && told.data.id === first.data.id && (told.data.priority !== 1 || told.data.status !== 'open'));
        // The lane is long: the row may be below what is drawn.
        const isThere = async () => (await page.locator(`.lane [data-incident="${first.data.id}"]`).count()) > 0 || (await inLane()) > size;
        const shown = await until('its row', async () => ((await isThere()) ? Date.now() : isGone() && 'gone'), 2_000 * SLOW);
        at = shown === 'gone' ? null : shown;
      }
      const late = at - Date.parse(first.data.heard);
      const tones = await until('a tone', () => page.evaluate(() => globalThis.tones), 2_000 * SLOW);
      const isOpen = (id) => !x.events.some((told) => told.event === 'incident' && told.data.id === id && told.data.status !== 'open');
      await until('it is there itself', async () => !isOpen(first.data.id) || (await allIds(page)).includes(first.data.id), 10_000 * SLOW);
      let later = null;
      while (later === null) {
        const from = x.events.length;
        const second = await until('a new incident of priority 2', () => x.events.slice(from).find((told) => told.event === 'incident' && told.data.priority === 2 && told.data.acts === 0 && told.data.count === 1 && told.data.status === 'open'), 60_000 * SLOW);
        const isThere = await until('it is there for whoever asks', async () => ((await allIds(page)).includes(second.data.id) ? 'there' : !isOpen(second.data.id) && 'gone'), 5_000 * SLOW);
        if (isThere === 'there') later = Date.now() - Date.parse(second.data.heard);
      }
      await page.context().close();
      holds(late < 2_000 * SLOW, `${late} ms after the append`);
      holds(later < 5_000 * SLOW, `priority 2: ${later} ms after the append`);
      return `shown ${late} ms after the append, ${tones} beeps; priority 2 after ${later} ms`;
    },
  },
  {
    name: '6: three times 503: live again within ten seconds, without a reload',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      await page.evaluate(() => (globalThis.sameDocument = true));
      x.refused = 0;
      x.refuse = 3;
      x.cut();
      await until('three were refused', () => x.refused === 3, 10_000 * SLOW);
      await until('live again', async () => ['live', 'stale'].includes(await live(page)) && x.open.size > 0, 10_000 * SLOW);
      holds(await page.evaluate(() => globalThis.sameDocument === true), 'the page was reloaded');
      await page.context().close();
    },
  },
  {
    name: '7: messages are lost and only heartbeats come: repaired within three seconds',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      const number = x.streams;
      const from = x.events.length;
      x.passes = (told, stream) => stream > number || told.event === 'heartbeat';
      await until('an incident is lost', () => x.events.slice(from).some((told) => told.event === 'incident'), 60_000 * SLOW);
      const lost = Date.now();
      await until('the stream is opened anew', () => x.streams > number, 4_000 * SLOW);
      const took = Date.now() - lost;
      x.passes = () => true;
      const last = x.events.slice(from).find((told) => told.event === 'incident').data.id;
      await until('what was lost is there', async () => (await page.evaluate(() => document.querySelector('.arrivals button')?.dataset.waiting)) !== undefined && ((await allIds(page)).includes(last) || !(await openIds(page, server)).includes(last)), 10_000 * SLOW);
      await page.context().close();
      holds(took <= 3_000 * BUSY + 400, `${took} ms`);
      return `repaired after ${took} ms`;
    },
  },
  {
    name: '8: the offset is not kept any more: a reset, and focus and a half-typed reason survive',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 3);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const id = await focusedId(page);
      await page.keyboard.press('d');
      await page.keyboard.press('h');
      await until('the reason has the focus', () => page.evaluate(() => document.activeElement?.id === 'reason'));
      await page.keyboard.type('the camera shows that');
      const from = x.events.length;
      x.streamAddress = (url) => {
        x.streamAddress = (same) => same;
        return url.replace(/after=\d+/, 'after=0').replace(/generation=[^&]*/, 'generation=another');
      };
      x.cut();
      await until('a reset', () => x.events.slice(from).some((told) => told.event === 'reset'), 10_000 * SLOW);
      await until('live again', async () => (await live(page)) !== 'lost', 10_000 * SLOW);
      equal(await page.inputValue('#reason'), 'the camera shows that', 'the reason');
      equal(await page.evaluate(() => document.activeElement?.id), 'reason', 'the focus');
      await page.keyboard.press('Escape');
      equal(await focusedId(page), id, 'the row');
      await page.context().close();
    },
  },
  {
    name: '9: a silent table is named with its seconds on every route of surveillance',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      const silent = await until('a silent table', async () => {
        const { tables } = await ask(page, server, '/api/v1/floor');
        return tables.find((table) => table.silent && table.silence_seconds > 3);
      }, 90_000 * SLOW);
      const one = await someIncident(page, server);
      for (const route of ['/queue', `/queue/${one.id}`, '/floor', '/wall', '/log', '/shift', '/duties']) {
        await page.goto(x.address + route);
        await page.waitForSelector('.banners');
        await until(`it is named at ${route}`, async () => /Feed silent: .*\d+ s/.test(await banner(page)), 2_000 * SLOW);
      }
      await page.context().close();
      return `${silent.table}, silent for ${silent.silence_seconds} s`;
    },
  },
  {
    name: 'log: an entry is written, corrected and printed, and a shift is handed over',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await page.goto(`${x.address}/log`);
      await page.waitForSelector('h1');
      await page.keyboard.press('w');
      await page.waitForSelector('dialog textarea');
      const said = `<b>camera 12</b> dark ${Date.now()}`;
      await page.keyboard.type(said);
      await page.selectOption('dialog select[name=kind]', 'camera_outage');
      await page.click('dialog .main');
      const row = page.locator('tr[data-entry]').filter({ hasText: said });
      await row.waitFor();
      const number = Number(await row.getAttribute('data-entry'));
      await page.waitForSelector('dialog', { state: 'detached' });
      await row.getByRole('button', { name: 'Correct' }).click();
      await page.waitForSelector('dialog textarea:focus');
      await page.keyboard.type('it was camera 13');
      await page.click('dialog .main');
      await page.locator('tr[data-entry]').filter({ hasText: 'it was camera 13' }).filter({ hasText: `of no. ${number}` }).waitFor();
      const printed = await page.evaluate(() => fetch('/api/v1/log?format=html').then((answer) => answer.text()));
      holds(printed.includes('&lt;b&gt;camera 12'), 'what somebody wrote is no markup on paper');
      await page.goto(`${x.address}/shift`);
      await page.getByRole('button', { name: 'Hand over' }).click();
      await page.waitForSelector('dialog input[name=to]');
      await page.keyboard.type('bob');
      await page.click('dialog .main');
      await page.waitForSelector('[data-handed=offered]');
      holds((await page.locator('.handed').innerText()).includes('Nobody has taken it over yet'), 'that it waits is said');
      const report = await ask(page, server, '/api/v1/shift');
      equal(report.handed_over.offer.to, 'bob', 'to whom it was handed');
      await page.context().close();
    },
  },
  {
    name: 'duties: what is owed has a deadline, and is done when the room writes down who was told',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/duties');
      await page.waitForSelector('[data-duty] button', { timeout: 90_000 * SLOW });
      const { duties } = await ask(page, server, '/api/v1/duties?status=all');
      const open = duties.filter((duty) => duty.receipt === undefined && duty.status !== 'lapsed');
      holds(open.length > 0, 'no duty is open');
      const row = page.locator('tr[data-duty]').first();
      holds(/late by|in \d/.test(await row.innerText()), 'the deadline is said');
      await row.getByRole('button').click();
      await page.waitForSelector('dialog textarea');
      const id = await page.inputValue('dialog input[name=violation]');
      holds(open.some((duty) => duty.id === id), 'the entry names the duty');
      await page.click('dialog .main');
      await page.locator('dialog').waitFor({ state: 'detached' });
      const done = await until('the desk has the receipt', async () => (await ask(page, server, '/api/v1/duties?status=all')).duties.find((duty) => duty.id === id && duty.receipt !== undefined), 10_000 * SLOW);
      equal(done.receipt.by, 'demo', 'who wrote it down');
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      return `${open.length} were open`;
    },
  },
  {
    name: '11: fifty times PageDown, End, Home: the focus is never lost, and what points to the row finds it',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 5);
      const keys = [...Array(50).fill('PageDown'), 'End', 'Home', 'PageDown', 'End'];
      for (const key of keys) {
        await page.keyboard.press(key);
        const state = await page.evaluate(() => {
          const box = document.activeElement;
          const lists = [...document.querySelectorAll('.queue-list .rows')];
          const pointing = lists.filter((list) => list.hasAttribute('aria-activedescendant'));
          return { isBody: box === document.body, resolves: pointing.every((list) => document.getElementById(list.getAttribute('aria-activedescendant')) !== null), pointing: pointing.length };
        });
        holds(!state.isBody, `after ${key} the body has the focus`);
        holds(state.resolves, `after ${key} aria-activedescendant leads nowhere`);
      }
      holds((await focusedId(page)) !== null, 'no row is meant');
      await page.context().close();
    },
  },
  {
    name: '12: all are selected, five arrive: only the earlier ones are acknowledged',
    async run({ chrome, x, server }) {
      // Few, so that it is one request and the others keep something to do.
      const page = await visitor(chrome, x.address, '/queue?priority=3');
      await rows(page, 1, 60_000);
      // The floor itself is silent from here on, so that only the five arrive.
      const { incidents } = await ask(page, server, '/api/v1/incidents?status=open&priority=3&limit=50');
      x.quiet();
      await heardAll(page, x);
      const count = () => page.evaluate(() => Number(/(\d+) selected/.exec(document.querySelector('.arrivals').textContent)?.[1] ?? 0));
      const earlier = await allIds(page);
      await page.keyboard.press('z');
      const selected = await until('they are selected', count);
      equal(selected, earlier.length, 'selected, of those that are there');
      const five = Array.from({ length: 5 }, (_, nth) => ({ ...incidents[0], id: `later-${nth}`, priority: 3, acknowledged: null, held: null, revision: 1 }));
      x.inject(five.map((one) => `event: incident\ndata: ${JSON.stringify(one)}\n\n`).join(''));
      await until('five arrive', async () => Number(await page.locator('.arrivals button').getAttribute('data-waiting')) >= 5, 10_000 * SLOW);
      equal(await count(), selected, 'selected, after five have arrived');
      const from = x.posts.length;
      await page.keyboard.press('a');
      const sent = () => x.posts.slice(from).flatMap((post) => (post.body.acts ? post.body.acts.map((act) => act.incident) : [decodeURIComponent(post.url.split('/')[4])]));
      await until('all that was selected is sent', () => sent().length >= selected, 5_000 * SLOW);
      await sleep(500);
      await page.context().close();
      equal(sent().filter((id) => !earlier.includes(id)), [], 'incidents that nobody had selected');
      equal(sent().length, selected, 'acknowledgements, for those that were selected');
      return `${selected} acknowledged`;
    },
  },
  {
    name: '13, 16: next, claim, replay, dispose by at most eight keys; undone after a reload, logged, and the row focused',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/queue?priority=2,3,4');
      await rows(page, 2);
      await page.evaluate(() => {
        globalThis.pointers = 0;
        addEventListener('pointerdown', () => (globalThis.pointers += 1));
      });
      let count = 0;
      const press = async (key) => {
        count += 1;
        await page.keyboard.press(key);
      };
      await press('j');
      const id = await until('a row is meant', () => focusedId(page), 5_000 * SLOW);
      const held = await ask(page, server, `/api/v1/incidents/${id}`);
      await press('c');
      await until('it is claimed', async () => (await ask(page, server, `/api/v1/incidents/${id}`)).incident.held?.by === 'demo', 5_000 * SLOW);
      await until('the page knows', async () => (await page.locator(`[data-incident="${id}"] .state.mine`).count()) > 0, 5_000 * SLOW);
      if (held.incident.round) await page.waitForSelector('.replay', { timeout: 120_000 * SLOW });
      await press('n');
      await press('d');
      await page.waitForSelector('dialog');
      await press('r');
      await until('the reason has the focus', () => page.evaluate(() => document.activeElement?.id === 'reason'), 5_000 * SLOW);
      await page.keyboard.type('seen on camera, procedure explained <img src=x onerror=alert(1)>');
      await press('Enter');
      await until('it is disposed', async () => (await ask(page, server, `/api/v1/incidents/${id}`)).incident.status === 'disposed', 5_000 * SLOW);
      equal(await page.evaluate(() => globalThis.pointers), 0, 'pointer events');
      holds(count <= 8, `${count} keys`);
      // Ten minutes later, by this browser's clock.
      await page.addInitScript(() => {
        const [date, ran] = [Date.now, performance.now.bind(performance)];
        Date.now = () => date() + 600_000;
        performance.now = () => ran() + 600_000;
      });
      await page.reload();
      await rows(page, 1);
      await page.keyboard.press('u');
      await until('it is open again', async () => (await ask(page, server, `/api/v1/incidents/${id}`)).incident.status === 'open', 5_000 * SLOW);
      const now = await ask(page, server, `/api/v1/incidents/${id}`);
      equal(now.incident.held?.by, 'demo', 'who holds it, as before it was disposed of');
      const deeds = now.acts.map((act) => act.deed).slice(-2);
      equal(deeds, ['dispose', 'undo'], 'what is on record');
      await until('the row has the focus', async () => (await focusedId(page)) === id, 3_000 * SLOW);
      equal(await page.evaluate(() => globalThis.trouble), [], 'violations of the policy');
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      return `${count} keys; was ${held.incident.status}`;
    },
  },
  {
    name: '14: keys in fields, of an input method, or repeated by holding do nothing',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 2);
      await page.keyboard.press('j');
      const from = x.posts.length;
      await page.evaluate(() => {
        for (const name of ['textarea', 'select', 'div']) {
          const element = document.createElement(name);
          element.id = `try-${name}`;
          if (name === 'div') element.contentEditable = 'true';
          document.body.append(element);
        }
      });
      const id = await focusedId(page);
      for (const name of ['textarea', 'select', 'div']) {
        await page.focus(`#try-${name}`);
        for (const key of ['j', 'c', 'a', 'd', 'u', 'e']) await page.keyboard.press(key);
      }
      await page.focus('#filter-q');
      await page.keyboard.type('ca');
      await page.fill('#filter-q', '');
      await page.locator('.queue-list .rows:not(.pinned)').focus();
      await page.evaluate(() => {
        const target = document.activeElement;
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, repeat: true }));
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, isComposing: true }));
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, ctrlKey: true }));
      });
      await sleep(400);
      equal(x.posts.length, from, 'posts');
      equal(await page.locator('dialog').count(), 0, 'dialogs');
      equal(await chosen(page), id, 'the row');
      await page.context().close();
    },
  },
  {
    name: '15: what ? shows is the registry of keys, on every page; no key means two things, and none is hidden by another',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      const one = await someIncident(page, server, (incident) => incident.round);
      const round = await someRound(page, server);
      const everywhere = await page.evaluate(() => globalThis.catwalkKeys().map((keys) => keys.join(' ')));
      let most = 0;
      for (const path of [`/queue/${one.id}`, `/rounds/${round}`, ...ROUTES.filter((route) => !route.startsWith('/print'))]) {
        await visit(page, path);
        await settled(page);
        if (path.includes(one.id)) await page.waitForSelector('.replay', { timeout: 60_000 * SLOW });
        // A field that takes the focus when its page is drawn takes what is typed, too.
        await until(`the keys are shown at ${path}`, async () => {
          await page.evaluate(() => document.activeElement?.blur());
          await page.keyboard.press('?');
          await drawn(page);
          return (await page.locator('.help').count()) > 0;
        }, 10_000 * SLOW);
        const shown = await page.evaluate(() => [...document.querySelectorAll('.help [data-keys]')].map((row) => row.dataset.keys).sort());
        await page.keyboard.press('Escape');
        await page.locator('.help').waitFor({ state: 'detached' });
        // The keys of the page count again a moment after what hid them is gone.
        const known = await until('the keys of the page', async () => {
          const keys = await page.evaluate(() => globalThis.catwalkKeys().map((keys) => keys.join(' ')).sort());
          return keys.length > 1 && keys;
        });
        equal(shown, known, `the keys at ${path}`);
        const single = known.flatMap((keys) => keys.split(' ')).filter(Boolean);
        equal(new Set(single).size, single.length, `keys that mean two things at ${path}`);
        const places = everywhere.filter((key) => /^[0-9/]$/.test(key));
        equal(places.filter((key) => !known.includes(key)), [], `keys of pages that something hides at ${path}`);
        most = Math.max(most, shown.length);
      }
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      return `at most ${most} keys at a time`;
    },
  },
  {
    name: '18: an act that fails is said on its row; of ten in one, the two that were refused are named',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/queue?priority=3,4');
      await rows(page, 10, 60_000 * SLOW);
      await page.keyboard.press('j');
      const id = await focusedId(page);
      x.failPosts = { error: 'the log does not answer', code: 'unavailable' };
      await page.keyboard.press('a');
      await until('the row says so', async () => /acknowledge failed: the log does not answer/.test(await page.locator(`[data-incident="${id}"]`).first().innerText()), 3_000 * SLOW);
      x.failPosts = null;
      await page.keyboard.press('Escape');
      await page.keyboard.press('Home');
      // Ten are selected; somebody else is at two of them meanwhile, which this page does not hear.
      for (let nth = 0; nth < 10; nth += 1) {
        await page.keyboard.press('x');
        await page.keyboard.press('j');
      }
      const selected = await page.evaluate(() => [...document.querySelectorAll('.row[aria-selected=true] .item')].map((row) => row.dataset.incident));
      equal(selected.length, 10, 'selected');
      const open = await ask(page, server, OPEN);
      const two = selected.slice(3, 5);
      const passes = x.passes;
      x.passes = (told) => told.event !== 'incident' || !two.includes(told.data.id);
      const cookies = (await page.context().cookies()).map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
      for (const one of two) {
        const seen = open.incidents.find((incident) => incident.id === one);
        const answer = await fetch(`${server}/api/v1/incidents/${one}/acts`, {
          method: 'POST', headers: { cookie: cookies, 'content-type': 'application/json', origin: server, 'sec-fetch-site': 'same-origin' },
          body: JSON.stringify({ id: `other-${one}`, deed: 'escalate', seen_acts: seen.acts, seen_findings: seen.count }),
        });
        equal(answer.status, 201, 'the other act');
      }
      await page.keyboard.press('a');
      await until('two are named', async () => (await page.locator('.item .wrong').count()) >= 2, 5_000 * SLOW);
      const failed = await page.evaluate(() => [...document.querySelectorAll('.item:has(.wrong)')].map((row) => row.dataset.incident).sort());
      x.passes = passes;
      equal(failed, [...two].sort(), 'the rows that say that they failed');
      holds(/^2 of 10 refused/.test(await page.locator('.notice').innerText()), await page.locator('.notice').innerText());
      await page.context().close();
    },
  },
  {
    name: '19, 27: eight tabs hold one stream; one of them sounds, once, until somebody takes it up; without a gesture it says that sound is off',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      equal(await page.locator('[data-sound]').getAttribute('data-sound'), 'suspended', 'sound before a gesture');
      holds((await page.locator('[data-sound]').innerText()).startsWith('Sound off'), 'that sound is off is said');
      await page.keyboard.press('j');
      await until('sound after a gesture', async () => (await page.locator('[data-sound]').getAttribute('data-sound')) === 'on', 3_000 * SLOW);
      const tabs = [page];
      const before = x.open.size;
      for (let nth = 1; nth < 8; nth += 1) tabs.push(await tab(page, `${x.address}/floor`));
      await tabs[1].keyboard.press('t');
      await until('sound in two tabs', async () => (await tabs[1].locator('[data-sound]').getAttribute('data-sound')) === 'on', 3_000 * SLOW);
      equal(x.open.size, before, 'streams');
      x.quiet();
      await sleep(1_500);
      // Of this incident alone: others, which came before, may ring again past their deadlines.
      const all = async (run) => (await Promise.all(tabs.map((one) => one.evaluate(run)))).reduce((sum, one) => sum + one, 0);
      const rang = () => all(() => globalThis.catwalkRang('rings'));
      const hushed = () => all(() => globalThis.hushed);
      const like = await someIncident(page, server);
      const one = { ...like, id: 'rings', priority: 1, status: 'open', acknowledged: null, held: null, acts: 0, revision: 1, rings_at: new Date(0).toISOString(), due_by: new Date(Date.now() + 3_600_000).toISOString() };
      const tell = (incident) => x.inject(`event: incident\ndata: ${JSON.stringify(incident)}\n\n`);
      tell(one);
      await until('it rings', async () => (await rang()) > 0, 5_000 * SLOW);
      // The same again, as after a stream that broke; another revision; nothing of it rings anew.
      tell(one);
      tell({ ...one, revision: 2, count: one.count + 1 });
      await sleep(2_200);
      equal(await rang(), 1, 'tones of one incident in eight tabs');
      const heard = await hushed();
      const from = Date.now();
      tell({ ...one, revision: 3, acknowledged: new Date().toISOString() });
      await until('it is hushed', async () => (await hushed()) >= heard + 3, 500 * SLOW);
      const took = Date.now() - from;
      equal(await rang(), 1, 'tones, after it was taken up');
      await page.context().close();
      return `one tone in eight tabs, one stream; hushed after ${took} ms`;
    },
  },
  {
    name: '20: browsers in Tokyo and New York show the same times, and both half past ones of the night that the clocks change',
    async run({ chrome, x }) {
      // Two incidents of that night: half past one by summer time, and an hour later by winter time.
      const NIGHT = ['2026-11-01T05:30:00.000000Z', '2026-11-01T06:30:00.000000Z'];
      x.rewrite = (url, value) => {
        if (!url.startsWith('/api/v1/incidents?') || !value.incidents?.length) return value;
        const twice = NIGHT.map((last, nth) => ({ ...value.incidents[0], id: `night-${nth}`, priority: 2, acknowledged: null, status: 'open', began: '2000-01-01T00:00:00.000000Z', last }));
        return { ...value, incidents: [...twice, ...value.incidents] };
      };
      const one = await visitor(chrome, x.address, '/queue', { timezoneId: 'Asia/Tokyo' });
      const other = await visitor(chrome, x.address, '/queue', { timezoneId: 'America/New_York', locale: 'de-DE' });
      await Promise.all([rows(one, 3), rows(other, 3)]);
      const times = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.item')].map((row) => [row.dataset.incident, row.querySelector('time').textContent])));
      const [a, b] = [await times(one), await times(other)];
      const both = Object.keys(a).filter((id) => b[id] !== undefined);
      holds(both.length > 0, 'they show nothing in common');
      for (const id of both) equal(a[id], b[id], 'a time');
      equal([a['night-0'], a['night-1']], ['11-01 01:30:00 EDT', '11-01 01:30:00 EST'], 'the two half past ones');
      x.rewrite = null;
      await one.context().close();
      await other.context().close();
      return `${both.length} times`;
    },
  },
  {
    name: 'network: slowed, reordered and cut, again and again: nothing is missed, doubled, or old and shown as live',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 3);
      const from = x.events.length;
      const turns = LONG ? 12 : 4;
      x.slow = 900;
      x.turned = 7;
      for (let turn = 0; turn < turns; turn += 1) {
        await sleep(2_500);
        x.cut();
        await until('it is heard again', async () => (await live(page)) !== 'lost', 20_000 * SLOW);
      }
      x.slow = 0;
      await until('all that the server has said is here', async () => {
        const [head, offset] = await page.evaluate(() => globalThis.catwalkOffsets());
        return offset >= head && head > 0;
      }, 20_000 * SLOW);
      const shown = await agrees(page, server);
      // What is shown of each is its last revision.
      const newest = new Map((await ask(page, server, OPEN)).incidents.map((one) => [one.id, one.revision]));
      await caughtUp(page, server);
      await drawn(page);
      const held = await page.evaluate(() => [...document.querySelectorAll('.item')].map((row) => [row.dataset.incident, Number(row.dataset.revision)]));
      equal(held.filter(([id, revision]) => revision < (newest.get(id) ?? 0)), [], 'rows that are older than what the server has');
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      return `${x.events.slice(from).filter((told) => told.event === 'incident').length} incidents in disorder, ${turns} cuts, ${shown} shown`;
    },
  },
  {
    name: 'refusals: a page that cannot be read says why, and is read when one tries again; what is no answer breaks no page',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address, '/health');
      const paths = ['/rounds', '/log', '/shift', '/duties', '/cases', '/reports', '/ask', '/rules/mgc-2017/craps', '/odds/craps', '/people/dealer/d-101', '/sets/deck-1', '/rounds/BJ-03-000001'];
      x.broken = { error: 'the archive could not be read: disk full', code: 'unavailable' };
      for (const path of paths) {
        await visit(page, path);
        await until(`${path} says why`, async () => (await page.locator('main').innerText()).includes('disk full'), 10_000 * SLOW);
        holds((await page.getByRole('button', { name: 'Try again' }).count()) > 0, `${path} cannot be tried again`);
      }
      x.broken = null;
      await visit(page, '/log');
      await page.waitForSelector('main h1');
      await settled(page);
      // Something that is JSON and no answer of this server.
      x.rewrite = (url, value) => (/session|incidents\?|\/floor/.test(url) ? value : { nothing: true });
      for (const path of paths) {
        await visit(page, path);
        await settled(page);
        await drawn(page);
        holds((await page.locator('main').innerText()).trim() !== '', `${path} is blank`);
        holds((await page.locator('.top .live').count()) === 1, `${path} has lost the bar`);
      }
      x.rewrite = null;
      await page.context().close();
    },
  },
  {
    name: 'worker: a tab whose worker dies says that it is not live, and finds another without a reload',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      await page.evaluate(() => (globalThis.sameDocument = true));
      const cdp = await chrome.newBrowserCDPSession();
      const worker = (await cdp.send('Target.getTargets')).targetInfos.find((target) => target.type === 'shared_worker' && target.url.startsWith(x.address));
      holds(worker !== undefined, 'there is no worker');
      const { sessionId } = await cdp.send('Target.attachToTarget', { targetId: worker.targetId, flatten: false });
      await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'self.close()' } }) });
      const from = Date.now();
      await until('the banner', async () => (await banner(page)).includes('Not live'), 5_000 * SLOW);
      const took = Date.now() - from;
      await until('live again', async () => (await live(page)) !== 'lost', 15_000 * SLOW);
      holds(await page.evaluate(() => globalThis.sameDocument === true), 'the page was reloaded');
      await page.context().close();
      return `said after ${took} ms`;
    },
  },
];
