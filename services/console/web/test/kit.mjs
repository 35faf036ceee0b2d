// What the tests of the page stand on: the real program, a proxy that can fail, and a real browser.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** What a program that is tested has around it: nothing that is meant for the tests, or for another installation. */
export const AROUND = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CATWALK_')));

/** Whether there is time for what takes minutes. */
export const LONG = process.env.CATWALK_LONG !== undefined;

/** How much slower than a machine of its own this one is now: what others compute on it is no fault of the page. */
export const BUSY = Math.min(8, Math.max(1, loadavg()[0] / availableParallelism()));

/** By how much times may be exceeded. What others will compute is not known beforehand: only at length are they held to. */
export const SLOW = LONG ? BUSY : Math.max(3, BUSY);

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until something is so, and says what was waited for when it does not become so. */
export async function until(what, is, ms = 10_000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await is();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await sleep(40);
  }
}

export function equal(found, wanted, what) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}

export function holds(is, what) {
  if (!is) throw new Error(what);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A program that ends with this one, however that ends. */
export function started(...command) {
  const child = spawn(...command);
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** `catwalk demo`, at work in a folder of its own. */
export async function demo(program, options, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'catwalk-console-'));
  const data = join(folder, 'demo');
  const child = started(program, ['demo', '--console-port', '0', '--data', data, ...options], {
    env: { ...AROUND, ...env }, stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  const address = await until(
    'the demo prints its address',
    () => {
      if (child.exitCode !== null) throw new Error(`the demo ended: ${said}`);
      return /console at (http:\/\/[^/\s]+)/.exec(said)?.[1];
    },
    60_000 * SLOW,
  );
  await atWork(address);
  return {
    address,
    said: () => said,
    stop: async () => {
      child.kill('SIGINT');
      await Promise.race([new Promise((done) => child.once('exit', done)), sleep(8_000).then(() => child.kill('SIGKILL'))]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a floor that was just opened plays: tables, incidents, rounds in the archive. Before, much is refused. */
async function atWork(address) {
  const signed = await fetch(`${address}/api/v1/session/demo`, { method: 'POST', headers: { 'content-type': 'application/json', origin: address }, body: '{}' });
  const cookie = signed.headers.getSetCookie()[0].split(';')[0];
  const told = async (path) => (await fetch(`${address}/api/v1${path}`, { headers: { cookie } })).json();
  await until('the floor plays', async () => (await told('/floor')).tables?.length > 0 && (await told('/incidents')).incidents?.length > 0 && (await told('/rounds?limit=1')).rounds?.length > 0, 120_000 * SLOW);
}

/** The proxy X: it passes everything on until it is told otherwise. */
export class X {
  constructor(to) {
    this.to = new URL(to);
    /** Bytes are held back, and the connections stay open. */
    this.stalled = false;
    /** So many requests of the stream or its snapshot are answered 503. */
    this.refuse = 0;
    this.refused = 0;
    /** Whether an event of a stream is passed on: (event, number of the stream) => bool. */
    this.passes = () => true;
    /** What becomes of an answer in JSON: (path, value) => value. */
    this.rewrite = null;
    /** Changes an event of a stream: event => text. */
    this.rewriteEvent = null;
    /** Changes the address of a stream: url => url. */
    this.streamAddress = (url) => url;
    /** Incidents of a stream are held back for so long, and so many of them come in the reverse of their order. */
    this.slow = 0;
    this.turned = 0;
    /** What everything but who is signed in and the stream is answered, with 503. */
    this.broken = null;
    /** Posts that are answered with this instead. */
    this.failPosts = null;
    this.posts = [];
    this.streams = 0;
    this.open = new Set();
    this.events = [];
    /** The offset of the last incident that was passed on. */
    this.passed = 0;
    this.held = [];
    this.snapshotSentAt = 0;
    this.server = http.createServer((request, response) => void this.handle(request, response));
  }

  listen() {
    return new Promise((done) => this.server.listen(0, '127.0.0.1', () => done(this)));
  }

  get address() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  close() {
    for (const response of this.open) response.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }

  release() {
    this.stalled = false;
    for (const go of this.held.splice(0)) go();
  }

  /** Ends all streams, as a network does that goes away. */
  cut() {
    for (const response of this.open) response.destroy();
    this.open.clear();
  }

  /** The floor says nothing more, and no heartbeat that there is more: what is injected is all there is. */
  quiet() {
    this.passes = (told) => told.event === 'heartbeat';
    this.rewriteEvent = (told) => `event: heartbeat\ndata: ${JSON.stringify({ ...told.data, head: 0, told: 0 })}\n\n`;
  }

  /** Says something to all who listen. */
  inject(text) {
    for (const response of this.open) response.write(text);
  }

  async handle(request, response) {
    // The page from a folder, so that it can be tried before the program is built with it.
    if (process.env.PAGE_FROM && !request.url.startsWith('/api/')) {
      const path = join(process.env.PAGE_FROM, request.url.split('?')[0]);
      const file = /\.\w+$/.test(path) && existsSync(path) ? path : join(process.env.PAGE_FROM, 'index.html');
      const kinds = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html' };
      response.writeHead(200, { 'content-type': kinds[extname(file)], 'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'" });
      response.end(readFileSync(file));
      return;
    }
    const isStream = request.url.startsWith('/api/v1/stream');
    const isSnapshot = request.url.startsWith('/api/v1/incidents?');
    const body = await new Promise((done) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => done(Buffer.concat(parts)));
      request.on('error', () => done(Buffer.alloc(0)));
    });
    if (this.stalled) await new Promise((go) => this.held.push(go));
    if ((isStream || isSnapshot) && this.refuse > 0) {
      this.refuse -= 1;
      this.refused += 1;
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":"out of order","code":"unavailable"}');
      return;
    }
    if (this.broken !== null && request.url.startsWith('/api/') && !isStream && !isSnapshot && !/\/(session|floor)/.test(request.url)) {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(this.broken));
      return;
    }
    if (request.method === 'POST' && request.url.includes('/acts')) {
      this.posts.push({ url: request.url, body: JSON.parse(body.toString()), at: Date.now() });
      if (this.failPosts !== null) {
        response.writeHead(503, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.failPosts));
        return;
      }
    }
    const url = isStream ? this.streamAddress(request.url) : request.url;
    const headers = { ...request.headers };
    delete headers['accept-encoding'];
    const upstream = http.request({ host: this.to.hostname, port: this.to.port, method: request.method, path: url, headers }, (answer) => {
      if (isStream) return this.stream(answer, response);
      const type = answer.headers['content-type'] ?? '';
      if (this.rewrite === null || !type.includes('json')) {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
        return;
      }
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const value = this.rewrite(request.url, JSON.parse(Buffer.concat(parts).toString()));
        const text = Buffer.from(JSON.stringify(value));
        const rest = { ...answer.headers, 'content-length': text.length };
        delete rest['transfer-encoding'];
        response.writeHead(answer.statusCode, rest);
        response.end(text, () => {
          if (isSnapshot) this.snapshotSentAt = Date.now();
        });
      });
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  stream(answer, response) {
    const number = ++this.streams;
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
    let rest = '';
    let queue = Promise.resolve();
    // What is held back goes with the connection, as it does in a network.
    let turned = [];
    const release = () => {
      if (this.open.has(response)) for (const text of turned.reverse()) response.write(text);
      turned = [];
    };
    const turn = (text) => {
      turned.push(text);
      if (turned.length >= this.turned) release();
      else setTimeout(release, this.slow);
    };
    answer.setEncoding('utf8');
    answer.on('data', (part) => {
      rest += part;
      for (;;) {
        const end = rest.indexOf('\n\n');
        if (end < 0) break;
        const text = rest.slice(0, end + 2);
        rest = rest.slice(end + 2);
        const event = /^event: (\w+)/m.exec(text)?.[1] ?? '';
        const data = /^data: (.*)$/m.exec(text)?.[1];
        const told = { event, data: data === undefined ? null : JSON.parse(data), at: Date.now(), text };
        this.events.push(told);
        if (this.events.length > 20_000) this.events.splice(0, 10_000);
        queue = queue.then(async () => {
          if (this.stalled) await new Promise((go) => this.held.push(go));
          if (!this.passes(told, number)) return;
          if (this.slow > 0 && told.event === 'incident') return turn(text);
          response.write(this.rewriteEvent?.(told) ?? text);
          if (told.event === 'incident' || told.event === 'pass') this.passed = Math.max(this.passed, Number(/^id: (\d+)/m.exec(text)?.[1] ?? 0));
        });
      }
    });
    answer.on('end', () => queue.then(() => response.end()));
  }
}

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--autoplay-policy=user-gesture-required',
];

export async function browser() {
  const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium, or name one by CHROMIUM');
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Counts the tones that are played, and long tasks. */
const WATCH = () => {
  globalThis.tones = 0;
  globalThis.hushed = 0;
  // A tone lasts half a minute here, so that whoever is slow can still hush it.
  const end = AudioScheduledSourceNode.prototype.stop;
  AudioScheduledSourceNode.prototype.stop = function (when) {
    if (when === undefined) globalThis.hushed += 1;
    return end.call(this, when === undefined ? 0 : when + 30);
  };
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    globalThis.tones += 1;
    return make.call(this);
  };
  globalThis.longTasks = [];
  new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask', buffered: true });
  globalThis.trouble = [];
  addEventListener('securitypolicyviolation', (event) => globalThis.trouble.push(`${event.violatedDirective} ${event.blockedURI}`));
};

/** A page of a browser of one's own, far from the house's time zone. */
export async function stranger(chrome, options) {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 720 }, timezoneId: 'Asia/Tokyo', ...options });
  context.setDefaultTimeout(30_000 * SLOW);
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  await page.addInitScript(WATCH);
  return page;
}

/** Somebody who is signed in and looks at a page. */
export async function visitor(chrome, address, path = '/queue', options = {}) {
  const page = await stranger(chrome, options);
  await page.goto(`${address}/`);
  await page.getByRole('button', { name: 'Look at the demo' }).click();
  await page.waitForSelector('.top');
  await page.goto(address + path);
  await page.waitForSelector('.top');
  return page;
}

/** Somebody with a password, at a page of a house. */
export async function signedIn(chrome, house, role, path = '/', options = {}) {
  const page = await stranger(chrome, options);
  await page.goto(`${house.address}/`);
  await page.fill('input[name=user]', house.user(role));
  await page.fill('input[name=password]', house.password(role));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForSelector('.top');
  await page.goto(house.address + path);
  await page.waitForSelector('.top, .paper');
  return page;
}

/** Another address in the same document, as a link leads there. */
export async function visit(page, path) {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForSelector('main');
}

/** Waits until a page has read what it shows. */
export const settled = (page, ms = 60_000 * SLOW) => until(`nothing is read any more at ${new URL(page.url()).pathname}`, async () => (await page.locator('.loading').count()) === 0, ms);

/** Waits until something is shown. Where the archive has too much to do to answer in time, whoever looks tries again. */
export const there = (page, selector, ms = 120_000) => until(`${selector} at ${new URL(page.url()).pathname}`, async () => {
  const again = page.getByRole('button', { name: 'Try again' }).first();
  if (await again.count()) await again.click().catch(() => undefined);
  return (await page.locator(selector).count()) > 0;
}, ms * SLOW);

/** Two frames: what was asked for by then is drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits until the page has done its work: nothing took long for so many milliseconds. */
export const idle = (page, ms = 700) => until('the page rests', async () => {
  const before = await page.evaluate(() => globalThis.longTasks.length);
  await sleep(ms);
  return (await page.evaluate(() => globalThis.longTasks.length)) === before;
}, 30_000 * SLOW);

/** Waits until the page has heard all that the server had said when it was asked. */
export async function caughtUp(page, server) {
  const { offset } = await ask(page, server, '/api/v1/incidents?status=open&limit=1');
  await until(`the page has heard what the server had said, up to ${offset}`, async () => (await page.evaluate(() => globalThis.catwalkOffsets()))[1] >= offset, 20_000 * SLOW);
}

/** Waits until the page has heard all that has left the proxy, whatever the server says meanwhile. */
export const heardAll = (page, x) => until('the page has heard what was on its way', async () => (await page.evaluate(() => globalThis.catwalkOffsets()))[1] >= x.passed, 20_000 * SLOW);

/** Another tab of the same person. */
export async function tab(page, address) {
  const other = await page.context().newPage();
  other.errors = [];
  other.on('pageerror', (error) => other.errors.push(error.message));
  await other.addInitScript(WATCH);
  await other.goto(address);
  await other.waitForSelector('.top');
  return other;
}

export const ids = (page) => page.evaluate(() => [...document.querySelectorAll('.item')].map((row) => row.dataset.incident));

/** All pages and what one of each kind is, for whoever looks at every one. */
export const ROUTES = ['/queue', '/floor', '/wall', '/log', '/shift', '/duties', '/rounds', '/ask', '/ask/findings-by-code?ask=1', '/reports', '/rules', '/rules/mgc-2017/red_dog', '/rules/mgc-2017/craps?with=oh-jack-2017', '/odds', '/odds/craps',
  '/find?q=BJ', '/people', '/people/dealer/d-101', '/people/patron/p-BJ-03-1', '/sets', '/sets/deck-1', '/cases', '/cases/26-1', '/access', '/health', '/settings', '/queue/no-such-incident', '/rounds/no-such-round', '/ask/no-such-question', '/print/queue', '/print/rounds', '/print/nothing'];

export const focusedId = (page) => page.evaluate(() => document.querySelector('.row.focused .item')?.dataset.incident ?? null);

/** What the server says, asked around the proxy. */
export async function ask(page, server, path) {
  const cookies = await page.context().cookies();
  const response = await fetch(server + path, { headers: { cookie: cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ') } });
  return response.json();
}
