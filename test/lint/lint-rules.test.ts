import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

type Import = [file: string, specifier: string];

const FORBIDDEN: Import[] = [
  ['server/entry/cli/a.ts', '#server/process/logger.ts'],
  ['server/entry/api/docs/b.ts', '../../../main.ts'],
  ['server/features/names/f.ts', '#server/entry/api/api.ts'],
  ['server/features/names/g.ts', '../../process/logger.ts'],
  ['server/features/names/h.ts', '@ts-rest/core'],
  ['server/platform/http/e.ts', '../../entry/api/api.ts'],
  ['server/platform/http/contract/register-contract.ts', '#server/entry/cli/cli.ts'],
  ['server/platform/http/access/m.ts', '#server/main.ts'],
  ['server/process/n.ts', '@ts-rest/fastify'],
  ['server/entry/cli/o.ts', 'commander'],
  ['db/p.ts', '#server/platform/settings/config.ts'],
  ['db/queries/q.ts', '../../server/platform/settings/config.ts'],
  ['db/migrations/0001-r.ts', '#contract/shared/limits.ts'],
  ['db/migrations/0002-s.ts', '../schema.ts'],
  ['contract/t.ts', '#db/schema.ts'],
  ['contract/owner/u.ts', '#server/platform/settings/config.ts'],
  ['contract/v.ts', 'node:fs'],
  ['contract/openapi/v.ts', '#server/app.ts'],
  ['page/w.ts', '#server/platform/settings/config.ts'],
  ['page/blocks/x.ts', '#db/schema.ts'],
  ['dashboard/y.ts', '#server/platform/settings/config.ts'],
  ['dashboard/screens/z.ts', 'node:fs'],
];
/** Imports that are allowed only for types. The others import types only. */
const TYPE_ONLY: Import[] = [
  ['dashboard/am.ts', '#contract/account.ts'],
  ['dashboard/an.ts', 'zod'],
  ['contract/shared/ao.ts', '../account.ts'],
  ['contract/shared/aq.ts', 'zod'],
  ['server/entry/api/ap.ts', '../../app.ts'],
  ['server/platform/limits/i.ts', '../../features/names/display-name.ts'],
  ['server/platform/mail/j.ts', '#server/features/names/display-name.ts'],
];

const CYCLE: Import[] = [
  ['server/features/cycle/one.ts', './two.ts'],
  ['server/features/cycle/two.ts', './one.ts'],
];

const SLOW_PATTERNS = [
  '/<.*@.*>/',
  '/[0-9]+$/u',
  '/^(?:[a-z]|b)+$/v',
  "new RegExp('x+$')",
  'RegExp(`${a}*${a}*$`)',
  "new RegExp(String.raw`\\d+$`, 'u')",
];

let folder: string;
let filesWithSlowPattern: string[];
let filesWithForbiddenImport: string[];
let filesInCycles: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nameplate-lint-rules-'));
  await cp('oxlint.config.ts', join(folder, 'oxlint.config.ts'));
  for (const name of ['node_modules', 'tools']) await symlink(resolve(name), join(folder, name));
  const write = async ([file, specifier]: Import, statement: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), statement.replace('…', specifier));
  };
  for (const entry of FORBIDDEN)
    await write(entry, "import type { A } from '…';\nexport type B = A;\n");
  for (const entry of [...TYPE_ONLY, ...CYCLE]) await write(entry, "export { A } from '…';\n");
  for (const [index, pattern] of SLOW_PATTERNS.entries())
    await write(
      [`server/slow-${index}.ts`, ''],
      `export const b = (a: string) => [a, ${pattern}];`,
    );
  await write(['server/fast.ts', ''], 'export const b = [/ab+/, /^(?:\\w+ )*$/, /(?<!x)x+$/];\n');
  const diagnostics = await lint();
  const filesOf = (rule: string) =>
    diagnostics.filter(({ code }) => code === rule).map(({ filename }) => filename);
  filesWithForbiddenImport = filesOf('eslint(no-restricted-imports)');
  filesWithSlowPattern = filesOf('nameplate(linear-patterns)');
  filesInCycles = filesOf('import(no-cycle)');
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(): Promise<{ code: string; filename: string }[]> {
  const program = resolve('node_modules/oxlint/bin/oxlint');
  const args = [program, '--format', 'json', 'contract', 'dashboard', 'db', 'page', 'server'];
  // Ignores the exit code, because the linter finds forbidden imports.
  const output = await new Promise<string>((resolveOutput) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolveOutput(stdout));
  });
  return (JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }).diagnostics;
}

it.each([...FORBIDDEN, ...TYPE_ONLY])('the linter does not allow %s to import %s', (file) => {
  expect(filesWithForbiddenImport).toContain(file);
});

it('the linter rejects import cycles', () => {
  expect(filesInCycles.toSorted()).toEqual(CYCLE.map(([file]) => file));
});

it('the linter rejects regular expressions that can take more than linear time', () => {
  expect(filesWithSlowPattern.toSorted()).toEqual(
    SLOW_PATTERNS.map((_pattern, index) => `server/slow-${index}.ts`),
  );
});
