import { execFile } from 'node:child_process';
import { link, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/server-process.ts';

const SCRIPT = 'scripts/fewer-files.js';

let folder = '';

/** Writes a package as Kysely is one: two entries, which share a class in one of many files. */
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'package');
  await mkdir(join(folder, 'dist', 'other'), { recursive: true });
  const many = Array.from({ length: 20 }, (_, number) => `many-${number}`);
  const files = {
    'package.json': JSON.stringify({
      type: 'module',
      exports: { '.': { default: './dist/index.js' }, './other': './dist/other/index.js' },
    }),
    'dist/index.js': [...many, 'common'].map((name) => `export * from './${name}.js';`).join('\n'),
    'dist/index.d.ts': 'export {};',
    'dist/common.js': 'export class Shared {}',
    'dist/other/index.js': `export { Shared } from '../common.js';`,
    ...Object.fromEntries(
      many.map((name, number) => [`dist/${name}.js`, `export const number${number} = ${number};`]),
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});

async function run(): Promise<string> {
  const { stderr } = await promisify(execFile)(process.execPath, [SCRIPT, folder]);
  return stderr;
}

/** What the package exports at each of its entries. */
async function exported(): Promise<Record<string, unknown>[]> {
  const load = (name: string) =>
    import(pathToFileURL(join(folder, 'dist', name)).href) as Promise<Record<string, unknown>>;
  return [await load('index.js'), await load('other/index.js')];
}

async function scripts(): Promise<string[]> {
  const names = await readdir(join(folder, 'dist'), { recursive: true });
  return names.filter((name) => name.endsWith('.js'));
}

/** When each was written. */
async function states(): Promise<Record<string, number>> {
  const times = (await scripts()).map(async (name) => {
    const { mtimeMs } = await stat(join(folder, 'dist', name));
    return [name, mtimeMs] as const;
  });
  return Object.fromEntries(await Promise.all(times));
}

it('few files export what many did, one class where entries share it', async () => {
  expect(await run()).toBe('');
  expect(await scripts()).toHaveLength(3);
  const [index, other] = await exported();
  expect(Object.keys(index!)).toHaveLength(21);
  expect(index).toMatchObject({ number0: 0, number19: 19 });
  expect(other!['Shared']).toBe(index!['Shared']);
  expect(await readdir(join(folder, 'dist'))).toContain('index.d.ts');
});

it('doing it again changes nothing, nor what shares the files elsewhere', async () => {
  const elsewhere = join(folder, '..', 'elsewhere.js');
  await link(join(folder, 'dist', 'index.js'), elsewhere);
  const before = await readFile(elsewhere, 'utf8');
  await run();
  const once = await states();
  await run();
  expect(await states()).toEqual(once);
  expect(await readFile(elsewhere, 'utf8')).toBe(before);
});

it('what cannot be put together stays as it came, and the installation goes on', async () => {
  await writeFile(join(folder, 'dist', 'common.js'), `export * from './missing.js';`);
  const before = await scripts();
  expect(await run()).toMatch(/^Kysely keeps its many files: /);
  expect(await scripts()).toEqual(before);
});
