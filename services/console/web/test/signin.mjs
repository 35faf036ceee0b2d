// People who sign in by a provider of OpenID Connect, a real one, in a browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { AROUND, equal, SLOW, started, stranger, until } from './kit.mjs';

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

export const SIGNIN = [
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
