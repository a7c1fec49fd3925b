// Plain JavaScript: npm runs it with whatever Node the machine has.
// Every program of this project loads all of Kysely, and finding and reading its 250 files takes each a
// tenth of a second. So they become a few that hold the same.
import { existsSync, readFileSync, readdirSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? fileURLToPath(new URL('../node_modules/kysely', import.meta.url));
// `npx nameplate` runs this, too, while a server may be loading them.
const done = join(folder, 'has-few-files');
if (existsSync(done)) process.exit();

const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const entries = Object.values(exports).map((entry) => join(folder, entry.default ?? entry));

const files = await bundle(entries).catch((error) => {
  // As it came, it takes longer to load and works as well.
  console.warn(`Kysely keeps its many files: ${error.message}`);
});
if (files) {
  const dist = join(folder, 'dist');
  for (const name of readdirSync(dist, { recursive: true }))
    if (name.endsWith('.js')) rmSync(join(dist, name));
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  writeFileSync(done, '');
}

async function bundle(entryPoints) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outbase: join(folder, 'dist'),
    outdir: join(folder, 'dist'),
    allowOverwrite: true,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles;
}
