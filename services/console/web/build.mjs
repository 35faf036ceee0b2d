// Builds the page into dist/, the same bytes on every machine: `node build.mjs [folder]`.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const out = resolve(process.argv[2] ?? 'dist');
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'assets'), { recursive: true });

const shared = {
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  absWorkingDir: here,
  outdir: join(out, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  metafile: true,
};
const made = [
  // The stream runs beside the pages, in one worker for all tabs.
  await build({ ...shared, entryPoints: ['src/worker.ts'], format: 'iife' }),
  await build({ ...shared, entryPoints: ['src/theme.ts'], format: 'iife' }),
  await build({ ...shared, entryPoints: ['src/style/console.css'] }),
];
const nameOf = (results, entry) => {
  for (const result of results)
    for (const [name, output] of Object.entries(result.metafile.outputs))
      if (output.entryPoint === entry) return name.split('/').pop();
  throw new Error(`${entry} was not built`);
};
const worker = nameOf(made, 'src/worker.ts');
made.push(
  await build({
    ...shared,
    entryPoints: ['src/main.tsx'],
    format: 'esm',
    splitting: true,
    define: { WORKER: JSON.stringify(`/assets/${worker}`) },
  }),
);
cpSync('static', out, { recursive: true });
const names = {
  STYLE: nameOf(made, 'src/style/console.css'),
  THEME: nameOf(made, 'src/theme.ts'),
  MAIN: nameOf(made, 'src/main.tsx'),
};
let page = readFileSync('src/index.html', 'utf8');
for (const [key, name] of Object.entries(names)) page = page.replace(`{${key}}`, `/assets/${name}`);
writeFileSync(join(out, 'index.html'), page);
const scripts = made.flatMap((result) => Object.keys(result.metafile.outputs).filter((name) => name.endsWith('.js')));
// As the server sends them.
const total = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
const hash = createHash('sha256').update(page).digest('hex').slice(0, 12);
console.log(`${total} bytes of script as they are sent, page ${hash}`);
if (total > 150_000) throw new Error(`${total} bytes of script; 150,000 are the most`);
