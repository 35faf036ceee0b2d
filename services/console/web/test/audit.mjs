// What goes to auditors and to paper.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { equal, holds, settled, SLOW, tab, there, until, visit } from './kit.mjs';
import { axe } from './looks.mjs';

/** Asked by the page's own session; a machine with other work is asked again. */
async function told(page, path) {
  for (let tries = 0; ; tries += 1) {
    const [status, body] = await page.evaluate((to) => fetch(`/api/v1${to}`).then(async (answer) => [answer.status, await answer.json()]), path);
    if (status === 200) return body;
    if (tries > 8 * SLOW || ![422, 429, 503].includes(status)) throw new Error(`${path}: ${status} ${body.error}`);
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

export const AUDIT = [
  {
    name: '26: every figure of the master game report leads to rows that sum to it, to the cent',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const page = await signedIn(chrome, house, 'auditor', '/reports');
      const paper = await told(page, '/reports/master-game?month=2026-11');
      const main = paper.parts[0];
      holds(main.rows.length >= 2 && main.totals !== null, 'the report has no rows');
      let rows = 0;
      let formulas = 0;
      for (const [at, column] of main.columns.entries()) {
        if (!['money', 'count', 'number'].includes(column.kind) || main.totals[at] === null) continue;
        const why = await told(page, `/reports/master-game/why?cell=${column.name}&first=${paper.first}&last=${paper.last}`);
        equal(why.value, main.totals[at], `${column.name}, where it leads`);
        if (why.rows !== null) {
          equal(why.rows.sum, main.totals[at], `the rows of ${column.name}`);
          equal(why.rows.list.reduce((sum, row) => sum + row.amount, 0), main.totals[at], `the shown rows of ${column.name}`);
          rows += why.rows.list.length;
        } else {
          holds(why.terms?.length > 1, `${column.name} has neither rows nor terms`);
          formulas += 1;
          if (column.kind !== 'money') continue;
          const of = Object.fromEntries(why.terms.map((term) => [term.name, term.value]));
          const worked = why.formula.replace(/[a-z_]+/g, (name) => `(${of[name]})`);
          equal(Function(`return ${worked}`)(), main.totals[at], `${column.name} = ${why.formula}`);
        }
      }
      holds(rows > 10 && formulas >= 3, `${rows} rows, ${formulas} formulas`);
      // The same by hand: from the report to a day of a table, to its rows.
      await page.goto(`${house.address}/reports/master-game/2026-11`);
      await there(page, '[data-part=Tables] tbody tr [data-cell=handle]');
      await page.locator('[data-part=Tables] tbody tr').first().locator('[data-cell=handle]').click();
      await there(page, '[data-figure=handle] [data-agrees=true]');
      const shown = await page.evaluate(() => [...document.querySelectorAll('td[data-amount]')].reduce((sum, cell) => sum + Number(cell.dataset.amount), 0));
      equal(shown, Number(await page.locator('[data-value]').getAttribute('data-value')), 'the rows that are shown');
      const round = page.locator('[data-figure=handle] tbody a').first();
      const id = await round.innerText();
      await round.click();
      await there(page, '.replay');
      holds((await page.locator('h1').innerText()).includes(id), 'a row leads to its round');
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      return `${main.columns.length} columns, ${rows} rows, ${formulas} formulas`;
    },
  },
  {
    name: 'reports: all thirteen are drawn, and their files come as files',
    of: 'house',
    long: true,
    async run({ chrome, house, signedIn }) {
      const page = await signedIn(chrome, house, 'regulator', '/reports');
      const { reports } = await told(page, '/reports');
      equal(reports.map((report) => report.id), Array.from({ length: 13 }, (_, nth) => `A${nth + 1}`), 'the reports');
      const wrong = [];
      const looks = async (at) => {
        for (const theme of ['dark', 'light']) {
          await page.evaluate((to) => (document.documentElement.dataset.theme = to), theme);
          wrong.push(...(await axe(page)).map((violation) => `${theme} ${at}: ${violation}`));
        }
      };
      for (const { name } of reports) {
        await page.goto(`${house.address}/reports/${name}/2026-11-15`);
        await there(page, `[data-report=${name}]`);
        holds((await page.locator('.caveats, .final').count()) > 0, `${name} does not say whether it is final`);
        holds((await page.locator('.report .foot').innerText()).includes('table versions'), `${name} does not say of what it is made`);
        await looks(name);
      }
      await page.goto(`${house.address}/reports/master-game/2026-11-15/why?cell=handle&first=2026-11-15&last=2026-11-15`);
      await there(page, '[data-figure=handle] [data-agrees=true]');
      await looks('why');
      equal(wrong, [], 'what axe finds');
      const kinds = { csv: /^gaming_day,property/, text: /^A1 Master game report/, xlsx: /^PK/ };
      for (const [format, begins] of Object.entries(kinds)) {
        const [text, name] = await page.evaluate((to) => fetch(`/api/v1/reports/master-game?day=2026-11-15&format=${to}`).then(async (answer) => [await answer.text(), answer.headers.get('content-disposition')]), format);
        holds(begins.test(text), `${format}: ${text.slice(0, 60)}`);
        holds(/attachment; filename="A1-master-game-2026-11-15\.\w+"/.test(name), name);
      }
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
    },
  },
  {
    name: '25: a thousand rounds on paper are a thousand rows, with head and foot on every sheet',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const page = await signedIn(chrome, house, 'auditor', '/print/rounds?table=RO-02');
      await there(page, '.sheets tbody tr');
      equal(await page.locator('.sheets tbody tr').count(), 1_000, 'rows of the page');
      const folder = mkdtempSync(join(tmpdir(), 'catwalk-paper-'));
      const file = join(folder, 'rounds.pdf');
      writeFileSync(file, await page.pdf({ format: 'A4', landscape: true }));
      const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8', maxBuffer: 64 << 20 });
      rmSync(folder, { recursive: true });
      const sheets = text.split('\f').filter((sheet) => sheet.trim() !== '');
      const ids = new Set(text.match(/RO-02-\d{6}/g));
      equal(ids.size, 1_000, 'rounds on paper');
      holds(sheets.length > 5, `${sheets.length} sheets`);
      for (const [at, sheet] of sheets.entries()) {
        holds(/Round\s+Ended/.test(sheet), `sheet ${at + 1} has no head`);
        holds(/Archive/.test(sheet) && /rules [0-9a-f]{12}/.test(sheet), `sheet ${at + 1} does not say of what it is made`);
      }
      await page.context().close();
      return `${sheets.length} sheets`;
    },
  },
  {
    name: 'cases: a round is put into a case, held, released and closed, each with who did it and by what right',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const page = await signedIn(chrome, house, 'investigator', '/rounds?table=RO-02');
      await there(page, '.list tbody a.num');
      const round = await page.locator('.list tbody a.num').first().innerText();
      await page.goto(`${house.address}/rounds/${round}`);
      await there(page, '.replay');
      const number = `26-${Date.now()}`;
      await page.keyboard.press('w');
      await page.waitForSelector('dialog input[name=case]');
      await page.fill('dialog input[name=case]', number);
      await page.fill('dialog textarea[name=note]', '<img src=x onerror=alert(1)>');
      await page.locator('dialog .faint', { hasText: 'this opens it' }).waitFor();
      await page.click('dialog .main');
      await page.getByRole('link', { name: number }).click();
      await page.waitForSelector('[data-act=open]');
      holds((await page.locator('.facts').innerText()).includes(round), 'the round is in the case');
      const act = async (name, authority) => {
        await page.getByRole('button', { name, exact: true }).first().click();
        await page.waitForSelector('dialog');
        if (authority) await page.fill('dialog input[name=authority]', authority);
        await page.click('dialog .main');
        await page.locator('dialog').waitFor({ state: 'detached' });
      };
      await act('Hold', 'subpoena 26-0031');
      await page.locator('[data-held]', { hasText: 'subpoena 26-0031' }).waitFor();
      equal(await page.getByRole('button', { name: 'Close', exact: true }).count(), 0, 'what is held cannot be closed');
      // An auditor reads it and does nothing; the room does not even read it.
      const auditor = await signedIn(chrome, house, 'auditor', `/cases/${number}`);
      await auditor.waitForSelector('[data-held]');
      equal(await auditor.locator('.page .deeds').count(), 0, 'deeds of an auditor');
      const room = await signedIn(chrome, house, 'surveillance', `/cases/${number}`);
      await room.locator('.empty', { hasText: 'There is no case' }).waitFor();
      await act('Release', 'closing letter of 2 March');
      await page.locator('[data-act=release]').waitFor();
      await act('Close');
      await page.locator('[data-act=close]').waitFor();
      const { acts } = await told(page, '/cases');
      const mine = acts.filter((one) => one.case === number);
      equal(mine.map((one) => [one.action, one.operator, one.role]), ['open', 'hold', 'release', 'close'].map((action) => [action, house.user('investigator'), 'investigator']), 'what is on record');
      equal(mine[0].rounds, [round], 'what the case names');
      // What was sent twice is there once.
      const again = await page.evaluate((one) => fetch('/api/v1/cases', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(one) }).then((answer) => answer.status), mine[0]);
      equal([again, (await told(page, '/cases')).acts.filter((one) => one.case === number).length], [200, 4], 'after the same act came again');
      equal([...page.errors, ...(await page.evaluate(() => globalThis.trouble))], [], 'errors of the page');
      for (const one of [page, auditor, room]) await one.context().close();
    },
  },
  {
    name: 'under: an investigator looks under a case: patrons by their ids, on record, said on every page; nothing of it without the case, in another tab, or for others',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const page = await signedIn(chrome, house, 'investigator', '/rounds?table=RO-02');
      await there(page, '.list tbody a.num');
      const round = await page.locator('.list tbody a.num').first().innerText();
      const path = `/rounds/${encodeURIComponent(round)}`;
      const patrons = (of) => of.locator('.due .patron').allInnerTexts();
      const shown = async (of, is, what) => {
        let names = [];
        return until(what, async () => {
          await there(of, '.due .patron');
          names = await patrons(of);
          return names.length > 0 && names.every(is) && names;
        }, 60_000 * SLOW).catch((error) => {
          throw new Error(`${error.message}, but ${names}`);
        });
      };
      const isOther = (name) => /^anon-[0-9a-f]{24}$/.test(name);
      const isId = (name) => !name.startsWith('anon-');
      await visit(page, path);
      await shown(page, isOther, 'without a case patrons go by other names');
      holds((await page.locator('[data-case-chip]').innerText()).startsWith('No case'), 'that there is no case is said');
      equal(await page.locator('[data-under]').count(), 0, 'a case that nobody has chosen');
      // By keys alone: a new case is opened, of a number that no header takes as it is written.
      const number = `26-Größe ${Date.now()} <b>`;
      await page.keyboard.press('v');
      await page.waitForSelector('dialog input[name=under]');
      await page.keyboard.type(number);
      await page.getByRole('button', { name: 'Open a new one' }).press('Enter');
      await page.waitForSelector('dialog input[name=authority]');
      equal(await page.inputValue('dialog input[name=case]'), number, 'the number, as it was typed before');
      await page.fill('dialog input[name=authority]', 'order of the director');
      await page.click('dialog .main');
      await page.locator(`[data-under="${number}"]`).waitFor();
      // The archive hears of the case in its own time: until then nothing is said that is not so.
      const ids = await shown(page, isId, 'under the case patrons have their ids');
      holds((await page.locator('[data-under] .said').innerText()).startsWith('Patrons have their ids'), 'what the case is for is said');
      // On every page it is said; on paper too.
      for (const to of ['/rounds', '/ask', '/ask/patron-rounds', '/reports', '/rules', '/log', '/shift', '/duties', '/cases', `/people/patron/${ids[0]}`, '/sets/deck-1', '/odds', '/find?q=RO', '/access', '/health', '/settings', '/nowhere', path]) {
        await visit(page, to);
        await settled(page);
        equal(await page.locator('[data-under] .which').innerText(), `Under case ${number}`, `the case at ${to}`);
        const box = await page.locator('[data-under]').boundingBox();
        holds(box.y >= 0 && box.y + box.height < 720, `the case is out of sight at ${to}`);
      }
      const [paper] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Print', exact: true }).click()]);
      await there(paper, '.paper footer');
      holds((await paper.locator('.paper footer').innerText()).includes(`under case ${number}`), 'the paper names the case');
      await shown(paper, isId, 'on paper patrons have their ids');
      await paper.close();
      await visit(page, `/people/patron/${encodeURIComponent(ids[0])}`);
      await there(page, '[data-question=patron-rounds] tbody tr');
      await visit(page, path);
      // A reload keeps it; another tab, a link that somebody opens, has none.
      await page.reload();
      await shown(page, isId, 'after a reload');
      equal(await page.locator('[data-under]').getAttribute('data-under'), number, 'the case after a reload');
      const other = await tab(page, house.address + path);
      await shown(other, isOther, 'another tab has no case');
      equal(await other.locator('[data-under]').count(), 0, 'the case in another tab');
      await other.close();
      // It is left: not for a moment are the ids seen without it.
      await page.evaluate((secret) => {
        globalThis.leaked = false;
        const look = () => {
          if (document.querySelector('[data-under]') === null && document.querySelector('main').innerText.includes(secret)) globalThis.leaked = true;
          requestAnimationFrame(look);
        };
        look();
      }, ids[0]);
      await page.getByRole('button', { name: 'Leave the case' }).click();
      await shown(page, isOther, 'after it was left');
      equal(await page.evaluate(() => globalThis.leaked), false, 'ids without a case');
      // One that is chosen from those that are open; closed by another, it counts no more, and that is said.
      await page.keyboard.press('v');
      await page.locator('[data-choose]', { hasText: number }).click();
      await shown(page, isId, 'under the case again');
      const closed = await fetch(`${house.address}/api/v1/cases`, {
        method: 'POST', headers: { cookie: await house.cookie('regulator'), 'content-type': 'application/json', origin: house.address },
        body: JSON.stringify({ id: `close-${number}`, case: number, action: 'close', at: 0, operator: '', authority: null, note: null, rounds: [], findings: [], patrons: [] }),
      });
      equal(closed.status, 200, 'closing the case');
      await until('that the case does not count any more is said', async () => {
        await visit(page, '/rounds?limit=1');
        await visit(page, path);
        await settled(page);
        return (await page.locator('.under-case.refused').count()) > 0;
      }, 60_000 * SLOW);
      await shown(page, isOther, 'under a case that is closed');
      // Signed out, nothing of it is left for whoever comes next.
      await page.locator('.who summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForSelector('.signin');
      equal(await page.evaluate(() => sessionStorage.length), 0, 'what the tab has kept');
      // Whoever sees patrons always, or never, is not asked.
      for (const [role, is] of [['surveillance', isId], ['auditor', isOther]]) {
        const one = await signedIn(chrome, house, role, path);
        await shown(one, is, role);
        equal(await one.locator('[data-case-chip]').count(), 0, `the choice of ${role}`);
        await one.context().close();
      }
      // What was asked is on record with the case.
      const sql = await until('the record has it', async () => {
        const answer = await fetch(`${house.address}/api/v1/sql`, {
          method: 'POST', headers: { cookie: await house.cookie('regulator'), 'content-type': 'application/json', origin: house.address },
          body: JSON.stringify({ sql: "SELECT DISTINCT text FROM access WHERE who = $1 AND case_id = $2 AND stage = 'asked' ORDER BY 1", values: [house.user('investigator'), number] }),
        });
        const found = (await answer.text()).trim().split('\n').filter(Boolean).map((line) => JSON.parse(line).text);
        return found.includes('round') && found.includes('patron-rounds') && found;
      }, 120_000 * SLOW);
      equal([...page.errors, ...(await page.evaluate(() => globalThis.trouble))], [], 'errors of the page');
      await page.context().close();
      return `${ids.length} wagers; on record: ${sql.join(', ')}`;
    },
  },
];
