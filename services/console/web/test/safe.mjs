// Who may see what, who may change what, and what a hostile name can do: nothing.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

import { drawn, equal, holds, settled, SLOW, visit, visitor } from './kit.mjs';
import { someIncident, someRound } from './points.mjs';
import { ROLES } from './house.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..', '..', '..');
const PAGE = join(root, 'docs', 'access.md');

/** On another port, or before anybody is somebody: they have tests of their own. */
const ELSEWHERE = ['/api/v1/events', '/api/v1/session/first', '/api/v1/session/demo'];
/** The description of the API is no secret, nor is how one signs in. */
const OPEN = ['/api/v1/openapi.json', '/api/v1/session/ways'];

/** All routes that the sources name, with their methods. */
function routes() {
  const found = {};
  for (const crate of readdirSync(join(root, 'services'))) {
    const src = join(root, 'services', crate, 'src');
    if (!existsSync(src)) continue;
    for (const name of readdirSync(src, { recursive: true })) {
      if (!name.endsWith('.rs')) continue;
      const text = readFileSync(join(src, name), 'utf8').replace(/\s+/g, ' ');
      for (const [, path, rest] of text.matchAll(/\.route\( ?"(\/api\/v1\/[^"]*)"(.*?)(?=\.route\(|;|$)/g)) {
        const methods = [...rest.split(/\.with_state|\.layer|\.merge/)[0].matchAll(/\b(get|post|put|delete)\(/g)].map(([, method]) => method.toUpperCase());
        found[path] = [...new Set([...(found[path] ?? []), ...(methods.length > 0 ? methods : ['GET'])])];
      }
    }
  }
  for (const path of ELSEWHERE) delete found[path];
  return Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The pages of the console, as its own source has them. */
async function places() {
  const made = await build({ entryPoints: [join(web, 'src/pages/places.ts')], bundle: true, write: false, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'] });
  return (await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString('base64')}`)).PLACES;
}

const words = (role) => role.replaceAll('_', ' ');
const table = (first, rows) => [`| ${first} | ${ROLES.map(words).join(' | ')} |`, `| --- |${' --- |'.repeat(ROLES.length)}`, ...rows.map(([name, may]) => `| ${name} | ${may.map((one) => (one ? 'yes' : '-')).join(' | ')} |`)].join('\n');

const PAYLOAD = `<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=2</script>"'><svg onload=globalThis.pwned=3>`;
/** What people and devices write freely, or name things by. */
const FREE = new Set([
  'headline', 'message', 'note', 'summary', 'name', 'dealer', 'player', 'table', 'game_title', 'about', 'title', 'meaning', 'reading', 'case', 'reviewer', 'video', 'place', 'reason', 'outcome', 'violation', 'initiator', 'what', 'whom', 'how', 'by',
  'authority', 'operator', 'persons', 'cites', 'settled', 'lawful', 'when', 'text', 'ruling', 'detail', 'held_by', 'gaps', 'basis_words', 'none', 'error', 'shoe', 'set', 'kind_words',
]);
const poisoned = (value, key = '') => {
  if (typeof value === 'string') return FREE.has(key) ? value + PAYLOAD : value;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === 'camera' && one !== null ? { ...one, url: 'javascript:globalThis.pwned=4' } : poisoned(one, name)]));
};

export const SAFE = [
  {
    name: 'roles: every call and every page, for every role, as the page of access says',
    of: 'house',
    async run({ chrome, house, signedIn }) {
      const rights = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await house.right(role)])));
      const calls = [];
      for (const [path, methods] of routes()) {
        for (const method of methods) {
          const url = house.address + path.replace(/\{\w+\}/g, 'nothing');
          const send = (right) => fetch(url, { method, headers: { ...right, 'content-type': 'application/json', origin: house.address }, body: method === 'POST' ? '{}' : undefined, signal: AbortSignal.timeout(60_000) }).then(async (answer) => {
            await answer.body?.cancel();
            return answer.status;
          });
          equal(await send({}), OPEN.includes(path) ? 200 : 401, `${method} ${path} of nobody`);
          const may = [];
          for (const role of ROLES) may.push(![401, 403].includes(await send(rights[role])));
          calls.push([`\`${method} ${path}\``, may]);
        }
      }
      const pages = (await places()).map((place) => [`\`${place.to}\` ${place.name}`, ROLES.map((role) => place.roles.includes(role))]);
      const text = readFileSync(PAGE, 'utf8');
      const made = text.replace(/<!-- pages -->[\s\S]*<!-- end -->/, `<!-- pages -->\n${table('page', pages)}\n\n${table('call', calls)}\n<!-- end -->`);
      if (process.env.CATWALK_RENEW) writeFileSync(PAGE, made);
      holds(process.env.CATWALK_RENEW || made === text, 'docs/access.md is not what the program does: CATWALK_RENEW=1 writes it anew');
      // A page that somebody may see asks for nothing that they may not, and one that they may not see asks for nothing.
      const wrong = [];
      for (const role of ROLES.filter((one) => one !== 'device')) {
        const page = await signedIn(chrome, house, role);
        const refused = [];
        page.on('response', (answer) => answer.status() === 403 && refused.push(new URL(answer.url()).pathname));
        for (const place of await places()) {
          refused.length = 0;
          await visit(page, place.to);
          await settled(page);
          await drawn(page);
          const shut = (await page.locator('main').innerText()).includes('This page is not for your role.');
          if (shut === place.roles.includes(role)) wrong.push(`${place.to} for ${role}: ${shut ? 'shut' : 'open'}`);
          if (refused.length > 0) wrong.push(`${place.to} for ${role} asks for ${refused}`);
        }
        await page.context().close();
      }
      equal(wrong, [], 'pages and what they ask for');
      return `${calls.length} calls and ${pages.length} pages of ${ROLES.length} roles`;
    },
  },
  {
    name: 'forged: what another page, or a program with a stolen moment, asks for is refused',
    of: 'house',
    async run({ house }) {
      const cookie = await house.cookie('surveillance');
      const entry = (headers) => fetch(`${house.address}/api/v1/log`, { method: 'POST', headers: { cookie, 'content-type': 'application/json', ...headers }, body: JSON.stringify({ id: `forged-${Math.random()}`, kind: 'observation', summary: 'forged' }) });
      for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { origin: house.address, 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]) {
        const answer = await entry(headers);
        equal([answer.status, (await answer.json()).code], [403, 'cross_origin'], JSON.stringify(headers));
      }
      const plain = await fetch(`${house.address}/api/v1/log`, { method: 'POST', headers: { cookie, 'content-type': 'text/plain', origin: house.address }, body: '{"id":"forged","kind":"observation","summary":"forged"}' });
      holds(plain.status >= 400, 'a form of another page can be sent as text');
      const read = await fetch(`${house.address}/api/v1/incidents`, { headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } });
      equal(read.status, 403, 'reading by another page');
      const { entries } = await (await fetch(`${house.address}/api/v1/log`, { headers: { cookie } })).json();
      equal(entries.filter((one) => one.summary === 'forged'), [], 'what was written by it');
      const signed = await fetch(`${house.address}/api/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json', origin: house.address }, body: JSON.stringify({ user: house.user('auditor'), password: house.password('auditor') }) });
      const given = signed.headers.getSetCookie()[0];
      holds(/HttpOnly/i.test(given) && /SameSite=(Strict|Lax)/i.test(given), `the cookie: ${given.replace(/=[^;]*/, '=…')}`);
    },
  },
  {
    name: 'weight: all scripts of all pages are under 200 KB as they are sent, packed; nothing comes from elsewhere, and nothing is written into the page',
    async run({ chrome, server }) {
      const page = await visitor(chrome, server);
      const elsewhere = [];
      page.on('request', (request) => request.url().startsWith(server) || elsewhere.push(request.url()));
      await page.reload();
      await page.waitForSelector('.top');
      const first = await page.evaluate(() => performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.js')).map((one) => [one.name, one.encodedBodySize, one.decodedBodySize]));
      for (const path of ['/queue', '/ask/findings?ask=1', '/reports', '/rules', '/odds', '/log', '/shift', '/duties', '/cases', '/people/dealer/d-101', '/access', '/print/queue']) await visit(page, path);
      await settled(page);
      const all = await page.evaluate(() => performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.js')).map((one) => [one.name, one.encodedBodySize, one.decodedBodySize]));
      const sum = (list, at) => [...new Map(list.map((one) => [one[0], one])).values()].reduce((total, one) => total + one[at], 0);
      holds(all.length > first.length && sum(first, 2) > sum(first, 1), 'scripts are not packed, or come at once');
      holds(sum(all, 1) < 200_000, `${sum(all, 1)} bytes of script are sent`);
      holds(sum(first, 2) < 200_000, `${sum(first, 2)} bytes of script before the first page is drawn`);
      equal(elsewhere, [], 'requests to elsewhere');
      for (const path of ['/', '/queue', '/wall', '/print/queue', new URL(first[0][0]).pathname]) {
        const policy = (await fetch(server + path)).headers.get('content-security-policy');
        holds(/default-src 'none'/.test(policy) && !/unsafe|\*|https?:/.test(policy), `the policy of ${path}: ${policy}`);
      }
      equal(await page.evaluate(() => globalThis.trouble), [], 'violations of the policy');
      await page.context().close();
      return `${sum(first, 1)} bytes for the first page, ${sum(all, 1)} for all`;
    },
  },
  {
    name: 'markup: in every free text of every page it is text and nothing more',
    async run({ chrome, x, server }) {
      const page = await visitor(chrome, x.address, '/health');
      const one = await someIncident(page, server, (incident) => incident.round);
      const round = await someRound(page, server);
      x.rewrite = (url, value) => (url.startsWith('/api/v1/session') ? value : poisoned(value));
      x.rewriteEvent = (told) => (told.data === null ? told.text : told.text.replace(/^data: .*$/m, () => `data: ${JSON.stringify(poisoned(told.data))}`));
      const paths = [
        '/queue', `/queue/${one.id}`, '/floor', '/wall', '/log', '/shift', '/duties', '/rounds', `/rounds/${round}`, `/print/round/${round}`, '/print/queue', '/print/rounds', '/ask/findings?ask=1', '/ask/findings-by-code?ask=1',
        '/rules/mgc-2017/craps', '/rules/mgc-2017/craps?with=oh-jack-2017', '/odds/craps', '/reports', `/people/dealer/${encodeURIComponent(PAYLOAD)}`, `/people/patron/${encodeURIComponent(PAYLOAD)}`, `/sets/${encodeURIComponent(PAYLOAD)}`,
        '/cases', `/cases/${encodeURIComponent(PAYLOAD)}`, `/find?q=${encodeURIComponent(PAYLOAD)}`, `/queue?q=${encodeURIComponent(PAYLOAD)}&table=${encodeURIComponent(PAYLOAD)}`, `/rounds/${encodeURIComponent(PAYLOAD)}`, '/access', '/settings', '/health',
      ];
      let seen = 0;
      for (const path of paths) {
        await page.goto(x.address + path);
        await page.waitForSelector('main');
        await settled(page);
        await drawn(page);
        const found = await page.evaluate(() => ({
          pwned: globalThis.pwned ?? null,
          images: document.querySelectorAll('img').length,
          scripts: [...document.scripts].filter((script) => !script.src.startsWith(`${location.origin}/assets/`)).length,
          handlers: [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some((attribute) => attribute.name.startsWith('on'))).length,
          links: [...document.querySelectorAll('[href], [src], [action]')].filter((element) => /^\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? element.getAttribute('src') ?? element.getAttribute('action') ?? '')).length,
          text: document.body.innerText.includes('onerror="globalThis.pwned=1"') || [...document.querySelectorAll('input')].some((input) => input.value.includes('onerror')),
          trouble: globalThis.trouble,
        }));
        seen += Number(found.text);
        equal([found.pwned, found.images, found.scripts, found.handlers, found.links, found.trouble], [null, 0, 0, 0, 0, []], path);
      }
      equal(page.errors, [], 'errors of the page');
      x.rewrite = null;
      x.rewriteEvent = null;
      await page.context().close();
      holds(seen >= paths.length / 2, `it was seen on ${seen} of ${paths.length} pages only: the test proves little`);
      return `seen as text on ${seen} of ${paths.length} pages`;
    },
  },
];
