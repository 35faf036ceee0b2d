// What a room lives through: a burst, two people at once, a night of a hundred thousand events.
import { ask, drawn, equal, focusedId, holds, idle, sleep, SLOW, tab, until, visitor } from './kit.mjs';
import { rows, someIncident } from './points.mjs';

const counted = (page) => page.evaluate(() => [...document.querySelectorAll('.filters .count')].reduce((sum, one) => sum + Number(one.dataset.count), 0));
const live = (page) => page.locator('.live').getAttribute('data-live');

/** The events of so many incidents that nobody has heard of, as the server would tell them. */
async function invented(page, server, count, change) {
  await someIncident(page, server);
  const { incidents } = await ask(page, server, '/api/v1/incidents?status=open&limit=20');
  return Array.from({ length: count }, (_, nth) => {
    const like = incidents[nth % incidents.length];
    const told = { ...like, id: `burst-${nth}`, status: 'open', acknowledged: null, held: null, acts: 0, revision: 1, ...change(nth) };
    return `event: incident\ndata: ${JSON.stringify(told)}\n\n`;
  });
}

export const LIVE = [
  {
    name: '3, 10: five hundred findings in a second: all are counted, j answers, and the focused row stays where it is',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 6);
      for (let nth = 0; nth < 5; nth += 1) await page.keyboard.press('j');
      const id = await focusedId(page);
      const before = await page.locator('.row.focused').boundingBox();
      // The floor itself is silent for that second, so that the count is exact.
      await idle(page);
      x.quiet();
      // What was under way when it fell silent is counted before.
      let was = -1;
      await until('the count rests', async () => {
        const now = await counted(page);
        await sleep(300);
        was = await counted(page);
        return was === now;
      }, 10_000 * SLOW);
      // All of them belong above the focused row.
      const burst = await invented(page, server, 500, () => ({ priority: 2, began: '2000-01-01T00:00:00.000000Z' }));
      for (let from = 0; from < burst.length; from += 50) {
        x.inject(burst.slice(from, from + 50).join(''));
        await sleep(90);
      }
      await until('all are counted', async () => (await counted(page)) === was + 500, 5_000 * SLOW);
      await drawn(page);
      const after = await page.locator('.row.focused').boundingBox();
      equal(await focusedId(page), id, 'the focused row');
      holds(Math.abs(after.y - before.y) <= 1, `the focused row moved by ${after.y - before.y}`);
      const took = await page.evaluate(async () => {
        const at = performance.now();
        const was = location.pathname;
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
        while (location.pathname === was) await new Promise((done) => setTimeout(done));
        await new Promise((done) => requestAnimationFrame(done));
        return performance.now() - at;
      });
      await page.context().close();
      holds(took < 100 * SLOW, `j answered after ${took} ms`);
      return `j after ${Math.round(took)} ms`;
    },
  },
  {
    name: '19: a stream that comes back rings for nothing that has rung',
    async run({ chrome, x }) {
      const page = await visitor(chrome, x.address);
      await rows(page, 1);
      await page.keyboard.press('j');
      await until('sound after a gesture', async () => (await page.locator('[data-sound]').getAttribute('data-sound')) === 'on', 3_000 * SLOW);
      const other = await tab(page, `${x.address}/wall`);
      await other.keyboard.press('t');
      await until('something rings', async () => (await page.evaluate(() => globalThis.tones)) + (await other.evaluate(() => globalThis.tones)) > 0, 60_000 * SLOW);
      // What came before the streams broke is not told again; what comes after may ring.
      const [tones, from] = [(await page.evaluate(() => globalThis.tones)) + (await other.evaluate(() => globalThis.tones)), x.events.length];
      const streams = x.streams;
      x.passes = (told) => told.event !== 'incident';
      for (let nth = 0; nth < 3; nth += 1) {
        x.cut();
        await until('it is opened anew', () => x.streams > streams + nth, 10_000 * SLOW);
        await until('it is heard', async () => (await live(page)) !== 'lost', 10_000 * SLOW);
      }
      const rang = (await page.evaluate(() => globalThis.tones)) + (await other.evaluate(() => globalThis.tones)) - tones;
      const loud = new Set(x.events.slice(from).filter((told) => told.event === 'incident' && told.data.priority <= 2).map((told) => told.data.id)).size;
      x.passes = () => true;
      await page.context().close();
      holds(rang <= 3 * loud, `${rang} beeps after three reconnects, and only ${loud} incidents were new`);
      return `${rang} beeps, ${loud} new`;
    },
  },
  {
    name: '17: two people claim one incident at once: one has it, the other sees who',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const [one, other] = await Promise.all([signedIn(chrome, house, 'surveillance'), signedIn(chrome, house, 'surveillance_supervisor')]);
      await Promise.all([rows(one, 1, 60_000), rows(other, 1, 60_000)]);
      const id = await until('an incident that nobody holds', () => one.evaluate(() => [...document.querySelectorAll('.item')].find((row) => row.querySelector('.state.new, .state')?.textContent.startsWith('new'))?.dataset.incident));
      const path = `/queue/${id}`;
      for (const page of [one, other]) {
        await page.goto(house.address + path);
        await page.waitForSelector('.deeds');
        await until('it is known', async () => (await focusedId(page)) === id, 10_000 * SLOW);
      }
      await Promise.all([one.keyboard.press('c'), other.keyboard.press('c')]);
      const holder = await until('somebody holds it', async () => {
        const told = await one.evaluate((what) => fetch(`/api/v1/incidents/${what}`).then((answer) => answer.json()), id);
        return told.incident.held?.by;
      }, 5_000 * SLOW);
      const [winner, loser] = holder === house.user('surveillance') ? [one, other] : [other, one];
      await until('the other sees who has it', async () => (await loser.locator('.facts').innerText()).includes(`held by ${holder}`), 1_000 * SLOW);
      await until('the winner sees that it is theirs', async () => (await winner.locator(`[data-incident="${id}"] .state.mine`).count()) > 0, 5_000 * SLOW);
      const told = await one.evaluate((what) => fetch(`/api/v1/incidents/${what}`).then((answer) => answer.json()), id);
      equal(told.acts.filter((act) => (act.deed.type ?? act.deed) === 'claim').length, 1, 'claims that count');
      await until('the other is told that theirs failed', async () => /claim failed/.test(await loser.locator('.facts-of').innerText()), 5_000 * SLOW);
      await Promise.all([one.context().close(), other.context().close()]);
      return `${holder} has it`;
    },
  },
  {
    name: '27: a hundred thousand events: the heap does not grow with them',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/queue');
      // The stream in the page itself, so that one heap has all of it.
      await page.addInitScript(() => delete globalThis.SharedWorker);
      await page.reload();
      await rows(page, 1);
      const cdp = await page.context().newCDPSession(page);
      const heap = async () => {
        await cdp.send('HeapProfiler.enable');
        for (let nth = 0; nth < 2; nth += 1) await cdp.send('HeapProfiler.collectGarbage');
        return (await cdp.send('Runtime.getHeapUsage')).usedSize;
      };
      x.quiet();
      const few = await invented(page, server, 200, () => ({ priority: 4 }));
      x.inject(few.join(''));
      await until('they are there', async () => Number(await page.locator('.arrivals button').getAttribute('data-waiting')) >= 200 || (await counted(page)) >= 200, 20_000 * SLOW);
      const before = await heap();
      const told = few.map((text) => JSON.parse(/^data: (.*)$/m.exec(text)[1]));
      for (let wave = 0; wave < 100; wave += 1) {
        let text = '';
        for (let nth = 0; nth < 1_000; nth += 1) {
          const like = told[nth % told.length];
          text += `event: incident\ndata: ${JSON.stringify({ ...like, count: wave * 10 + nth, revision: 2 + wave * 10 + Math.floor(nth / told.length) })}\n\n`;
        }
        x.inject(text);
        if (wave % 10 === 9) await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
      }
      // What comes after all of them has come through the same door.
      const all = await counted(page);
      x.inject((await invented(page, server, 7, (nth) => ({ id: `after-${nth}`, priority: 3 }))).join(''));
      await until('what came last is counted', async () => (await counted(page)) === all + 7, 60_000 * SLOW);
      const after = await heap();
      await page.context().close();
      const grown = (after - before) / 1e6;
      holds(grown < 20, `the heap grew by ${grown.toFixed(1)} MB`);
      return `${grown.toFixed(1)} MB`;
    },
  },
];
