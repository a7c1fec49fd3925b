import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const clientDir = fileURLToPath(new URL('.', import.meta.url));
const dist = `${clientDir}dist`;
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));

const IMPORT_PATTERN = /from '(\.\.?\/[\w/-]+)\.ts'/g;

rmSync(dist, { recursive: true, force: true });

const ENTRY_POINTS = ['index', 'owner', 'webhooks'];

for (const [format, extension] of [
  ['esm', '.js'],
  ['cjs', '.cjs'],
] as const)
  await build({
    entryPoints: ENTRY_POINTS.map((name) => `${clientDir}src/${name}.ts`),
    outdir: dist,
    outExtension: { '.js': extension },
    format,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
  });

execFileSync(compiler, ['-p', `${clientDir}tsconfig.build.json`], { stdio: 'inherit' });

const reachable = new Set(ENTRY_POINTS.map((name) => `${name}.d.ts`));
for (const name of reachable) {
  const source = readFileSync(`${dist}/${name}`, 'utf8');
  for (const [, module] of source.matchAll(IMPORT_PATTERN))
    reachable.add(`${posix.join(posix.dirname(name), module!)}.d.ts`);
  // tsc keeps `.ts` in imports of declaration files, which not every TypeScript version resolves.
  writeFileSync(`${dist}/${name}`, source.replaceAll(IMPORT_PATTERN, "from '$1.js'"));
  writeFileSync(
    `${dist}/${name.replace(/ts$/, 'cts')}`,
    source.replaceAll(IMPORT_PATTERN, "from '$1.cjs'"),
  );
}
for (const name of readdirSync(dist, { encoding: 'utf8', recursive: true }))
  if (name.endsWith('.d.ts') && !reachable.has(name)) rmSync(`${dist}/${name}`);
