// A house as it runs every night: `catwalk up` on what a floor has played, with people who sign in.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AROUND, LONG, SLOW, started, until } from './kit.mjs';

export const ROLES = ['surveillance', 'surveillance_supervisor', 'surveillance_director', 'investigator', 'auditor', 'operator', 'device', 'regulator'];

/** A night of two tables, or two nights where there is time, and one user for each role. */
export async function house(program) {
  const folder = mkdtempSync(join(tmpdir(), 'catwalk-house-'));
  const demo = join(folder, 'demo');
  const env = {
    ...AROUND,
    CATWALK_SERVICES: 'archiver,desk,console',
    CATWALK_LOG__EMBEDDED__FOLDER: join(demo, 'log'), CATWALK_ARCHIVE__URL: join(demo, 'archive'),
    CATWALK_USERS__FILE: join(folder, 'users.json'), CATWALK_CONSOLE__LISTEN: '127.0.0.1:0',
  };
  const run = (...words) => execFileSync(program, words, { env, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 * SLOW });
  run('demo', '--headless', '--rounds', LONG ? '5000' : '2600', '--tables', '2', '--games', 'big_six,roulette', '--seed', '11', '--data', demo);
  const passwords = new Map();
  for (const role of ROLES) {
    if (role === 'device') {
      run('users', 'add', 'one-device', '--role', 'device', '--no-password');
      continue;
    }
    const said = run('users', 'add', `one-${role.replaceAll('_', '-')}`, '--role', role, '--generate');
    const password = /([^\s:]{12,})\s*$/.exec(said.trim())?.[1];
    if (password === undefined) throw new Error(`no password in: ${said}`);
    passwords.set(role, password);
  }
  const token = run('users', 'token', 'one-device', '--days', '1').trim().split(/\s+/).at(-1);
  const child = started(program, ['up'], { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  const address = await until('the console is served', () => {
    if (child.exitCode !== null) throw new Error(`up ended: ${said}`);
    return /console at (http:\/\/[^/\s]+)/.exec(said)?.[1];
  }, 60_000 * SLOW);
  return {
    address,
    user: (role) => `one-${role.replaceAll('_', '-')}`,
    password: (role) => passwords.get(role),
    /** What a request of this role carries. */
    async right(role) {
      return role === 'device' ? { authorization: `Bearer ${token}` } : { cookie: await this.cookie(role) };
    },
    /** The cookie of somebody who has signed in. */
    async cookie(role) {
      const answer = await fetch(`${address}/api/v1/session`, {
        method: 'POST', headers: { 'content-type': 'application/json', origin: address }, body: JSON.stringify({ user: this.user(role), password: passwords.get(role) }),
      });
      if (!answer.ok) throw new Error(`${role} cannot sign in: ${answer.status} ${await answer.text()}`);
      return answer.headers.getSetCookie()[0].split(';')[0];
    },
    stop: async () => {
      child.kill('SIGINT');
      await new Promise((done) => child.once('exit', done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
