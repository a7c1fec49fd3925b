import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = `${here}dist`;
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));

rmSync(dist, { recursive: true, force: true });

for (const [format, outfile] of [
  ['esm', `${dist}/index.js`],
  ['cjs', `${dist}/index.cjs`],
] as const)
  await build({
    entryPoints: [`${here}src/index.ts`],
    outfile,
    format,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
  });

execFileSync(compiler, ['-p', `${here}tsconfig.build.json`], { stdio: 'inherit' });

// The compiler leaves `.ts` in the imports of declarations, which not every compiler resolves.
for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
  const source = readFileSync(`${dist}/${name}`, 'utf8');
  const importing = (extension: string): string =>
    source.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, `$1.${extension}'`);
  writeFileSync(`${dist}/${name}`, importing('js'));
  writeFileSync(`${dist}/${name.replace(/ts$/, 'cts')}`, importing('cjs'));
}
