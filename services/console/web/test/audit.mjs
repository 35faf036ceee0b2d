// What goes to auditors and to paper.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { equal, holds, until } from './kit.mjs';
import { axe } from './looks.mjs';

/** Asked by the page's own session; a machine with other work is asked again. */
async function told(page, path) {
  for (let tries = 0; ; tries += 1) {
    const [status, body] = await page.evaluate((to) => fetch(`/api/v1${to}`).then(async (answer) => [answer.status, await answer.json()]), path);
    if (status === 200) return body;
    if (tries > 8 || ![422, 429, 503].includes(status)) throw new Error(`${path}: ${status} ${body.error}`);
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
      await page.locator('[data-part=Tables] tbody tr').first().locator('[data-cell=handle]').click({ timeout: 120_000 });
      await page.waitForSelector('[data-figure=handle] [data-agrees=true]', { timeout: 120_000 });
      const shown = await page.evaluate(() => [...document.querySelectorAll('td[data-amount]')].reduce((sum, cell) => sum + Number(cell.dataset.amount), 0));
      equal(shown, Number(await page.locator('[data-value]').getAttribute('data-value')), 'the rows that are shown');
      const round = page.locator('[data-figure=handle] tbody a').first();
      const id = await round.innerText();
      await round.click();
      await page.waitForSelector('.replay');
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
        await until(`${name} is drawn`, async () => {
          const again = page.getByRole('button', { name: 'Try again' });
          if (await again.count()) await again.click();
          return (await page.locator(`[data-report=${name}]`).count()) > 0;
        }, 180_000);
        holds((await page.locator('.caveats, .final').count()) > 0, `${name} does not say whether it is final`);
        holds((await page.locator('.report .foot').innerText()).includes('table versions'), `${name} does not say of what it is made`);
        await looks(name);
      }
      await page.goto(`${house.address}/reports/master-game/2026-11-15/why?cell=handle&first=2026-11-15&last=2026-11-15`);
      await page.waitForSelector('[data-figure=handle] [data-agrees=true]', { timeout: 120_000 });
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
      await page.waitForSelector('.sheets tbody tr', { timeout: 120_000 });
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
      await page.waitForSelector('.list tbody a.num', { timeout: 120_000 });
      const round = await page.locator('.list tbody a.num').first().innerText();
      await page.goto(`${house.address}/rounds/${round}`);
      await page.waitForSelector('.replay', { timeout: 120_000 });
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
];
