// People who sign in by a provider of OpenID Connect, a real one, in a browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { AROUND, equal, holds, sleep, SLOW, started, stranger, until } from './kit.mjs';
import { axe } from './looks.mjs';

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'web', 'tests', 'provider', 'provider.mjs');
const CALLBACK = '/api/v1/session/oidc/callback';

/** A port that nobody has now: the provider has to know where people go back to before the console is there. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** What a program says once it is ready, and the program. */
async function said(child, stream, what, shape) {
  let text = '';
  stream.on('data', (part) => (text += part));
  return until(what, () => {
    if (child.exitCode !== null) throw new Error(`${what}: it ended: ${text}`);
    return shape.exec(text)?.[1];
  }, 60_000 * SLOW);
}

/** A program in a folder of its own, until what is done with it is done. */
async function beside(program, words, env, work) {
  const folder = mkdtempSync(join(tmpdir(), 'catwalk-first-'));
  const child = started(program, words, { env: { ...AROUND, ...env(folder) }, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    return await work(folder, child);
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null) await Promise.race([new Promise((done) => child.once('exit', done)), sleep(8_000).then(() => child.kill('SIGKILL'))]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const JSON_FROM = (address) => ({ 'content-type': 'application/json', origin: address });

export const SIGNIN = [
  {
    name: 'one-time: where nobody is a user the terminal has a token; it makes one director and no second, and no password is there before',
    of: 'program',
    run: ({ chrome, program }) => beside(program, ['up'], (folder) => ({
      CATWALK_SERVICES: 'archiver,desk,console', CATWALK_LOG__EMBEDDED__FOLDER: join(folder, 'log'), CATWALK_ARCHIVE__URL: join(folder, 'archive'),
      CATWALK_USERS__FILE: join(folder, 'users.json'), CATWALK_CONSOLE__LISTEN: '127.0.0.1:0',
    }), async (folder, child) => {
      let text = '';
      child.stderr.on('data', (part) => (text += part));
      const [, token, address] = await until('the token and the address are told', () => {
        if (child.exitCode !== null) throw new Error(`it ended: ${text}`);
        return /one-time token, good until [^:]+:[^:]+:\S+ (\S+)[\s\S]*console at (http:\/\/[^/\s]+)/.exec(text);
      }, 60_000 * SLOW).catch((error) => {
        throw new Error(`${error.message}: ${text}`);
      });
      const post = (path, body) => fetch(address + path, { method: 'POST', headers: JSON_FROM(address), body: JSON.stringify(body) });
      // A few of the guesses that anybody makes; who makes many is kept waiting.
      for (const name of ['admin', 'catwalk', 'operator']) equal((await post('/api/v1/session', { user: name, password: name })).status, 401, `${name} with the same as a password`);
      equal((await post('/api/v1/session/demo', {})).status, 404, 'the door of a demo');
      const page = await stranger(chrome, {});
      await page.goto(`${address}/shift`);
      await page.waitForSelector('input[name=token]');
      const wrong = await axe(page);
      const password = 'a long word of the director';
      const make = async (by, word) => {
        await page.fill('input[name=token]', by);
        await page.fill('input[name=user]', 'anna');
        await page.fill('input[name=password]', word);
        await page.getByRole('button', { name: 'Make the first user' }).click();
      };
      await make(`${token}0`, password);
      await page.locator('[role=alert]', { hasText: 'one-time token is wrong' }).waitFor();
      wrong.push(...(await axe(page)));
      equal(wrong, [], 'what axe finds');
      await make(token, 'short');
      await page.locator('[role=alert]', { hasText: /characters/ }).waitFor();
      await make(token, password);
      await page.waitForSelector('.top');
      const { user } = await page.evaluate(async () => (await fetch('/api/v1/session')).json());
      equal([user.id, [...user.roles].sort()], ['anna', ['operator', 'surveillance_director']], 'the first user');
      holds(new URL(page.url()).pathname === '/shift', 'one is where one wanted to be');
      // Whoever comes after finds no such door, and the same token opens nothing.
      equal((await post('/api/v1/session/first', { token, user: 'eve', password })).status, 403, 'the same token again');
      holds(readdirSync(folder).every((name) => !name.includes('first-token')), 'the token lies about');
      const other = await stranger(chrome, {});
      await other.goto(address);
      await other.fill('input[name=user]', 'anna');
      await other.fill('input[name=password]', 'something else');
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.locator('.wrong').waitFor();
      equal(await other.locator('input[name=token]').count() + await other.getByRole('button', { name: 'Look at the demo' }).count(), 0, 'other doors');
      equal(await axe(other), [], 'what axe finds after a refusal');
      await other.fill('input[name=password]', password);
      await other.keyboard.press('Enter');
      await other.waitForSelector('.top');
      equal([...page.errors, ...other.errors], [], 'errors of the page');
    }),
  },
  {
    name: 'opening: the demo’s first word is the address of its console, and incidents arrive in seconds',
    of: 'program',
    run: ({ chrome, program }) => beside(program, ['demo', '--console-port', '0', '--data', 'demo'], () => ({}), async (folder, child) => {
      const from = Date.now();
      let text = '';
      child.stderr.on('data', (part) => (text += part));
      const first = await until('it says something', () => /^(.+)\n/.exec(text.trimStart())?.[1], 20_000 * SLOW);
      const address = /console at (http:\/\/127\.0\.0\.1:\d+)/.exec(first)?.[1];
      holds(address !== undefined, `the first that it says is: ${first}`);
      const told = Date.now() - from;
      const page = await stranger(chrome, {});
      await page.goto(address);
      await page.getByRole('button', { name: 'Look at the demo' }).click();
      await page.waitForSelector('.queue-list');
      await page.waitForSelector('.queue-list .item', { timeout: 20_000 * SLOW });
      const came = Date.now() - from;
      await until('all its tables play', async () => (await page.evaluate(() => fetch('/api/v1/floor').then((answer) => answer.json()))).tables.length >= 6, 30_000 * SLOW);
      equal(page.errors, [], 'errors of the page');
      await page.context().close();
      holds(told < 5_000 * SLOW, `the address after ${told} ms`);
      holds(came < 15_000 * SLOW, `the first incident after ${came} ms`);
      return `the address after ${told} ms, the first incident after ${came} ms`;
    }),
  },
  {
    name: 'provider: who signs in by the provider of the house has the roles of the groups, and who is in none is told',
    of: 'program',
    async run({ chrome, program }) {
      const folder = mkdtempSync(join(tmpdir(), 'catwalk-provider-'));
      const children = [];
      try {
        execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', 'oidc-provider@8.8.1', '--prefix', folder], { stdio: 'ignore' });
        const port = await freePort();
        const address = `http://127.0.0.1:${port}`;
        const provider = started('node', [SCRIPT, folder, address + CALLBACK], { stdio: ['ignore', 'pipe', 'ignore'] });
        children.push(provider);
        const issuer = `http://127.0.0.1:${await said(provider, provider.stdout, 'the provider listens', /^(\d+)\n/)}`;
        writeFileSync(join(folder, 'secret'), 'a secret: with / signs & more', { mode: 0o600 });
        mkdirSync(join(folder, 'archive'));
        writeFileSync(join(folder, 'catwalk.toml'), `
services = ["archiver", "desk", "console"]
[log.embedded]
folder = "${folder}/log"
[archive]
url = "${folder}/archive"
[users]
file = "${folder}/users.json"
[console]
listen = "127.0.0.1:${port}"
[oidc]
name = "the house"
issuer = "${issuer}"
client_id = "catwalk"
client_secret_file = "${folder}/secret"
redirect_url = "${address}${CALLBACK}"
[[oidc.groups]]
group = "ieb"
roles = ["investigator"]
`);
        const up = started(program, ['up', '-c', 'catwalk.toml'], { env: AROUND, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
        children.push(up);
        await said(up, up.stderr, 'the console is served', /console at (http:\/\/[^/\s]+)/);
        const by = async (person) => {
          const page = await stranger(chrome, {});
          await page.goto(address);
          await page.getByRole('link', { name: 'Sign in by the house' }).click();
          await page.fill('input[name=login]', person);
          await page.fill('input[name=password]', 'any');
          await page.locator('button[type=submit]').first().click();
          // The provider asks whether this house may know who it is.
          await page.locator('button[type=submit]').first().click();
          return page;
        };
        const anna = await by('anna');
        await anna.waitForSelector('.top');
        const who = await anna.evaluate(async () => (await fetch('/api/v1/session')).json());
        equal([who.user.id, who.user.roles], ['anna@ieb.example', ['investigator']], 'who is signed in');
        const bert = await by('bert');
        await bert.getByText('none of your groups has a role here').waitFor();
        equal(await bert.locator('.top').count(), 0, 'pages of who is not let in');
        await bert.getByRole('link', { name: 'sign in with a password' }).click();
        await bert.waitForSelector('.signin input[name=user]');
      } finally {
        for (const child of children.reverse()) {
          child.kill('SIGINT');
          if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
        }
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
