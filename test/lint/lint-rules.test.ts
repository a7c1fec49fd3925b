import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const SLOW_PATTERNS = [
  '/<.*@.*>/',
  '/[0-9]+$/u',
  '/^(?:[a-z]|b)+$/v',
  "new RegExp('x+$')",
  'RegExp(`${a}*${a}*$`)',
  "new RegExp(String.raw`\\d+$`, 'u')",
  String.raw`/[A-Z_]{4,}=[^\s,]+|(?<![\w.:/@-])(?:\.env\b|(?:\/[\w.-]{0,60}\w){2,9})/`,
];
const FAST_PATTERNS = ['/ab+/', '/^(?:\\w+ )*$/', '/(?<!x)x+$/'];

it('the linter rejects regular expressions that can take more than linear time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-lint-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp('oxlint.config.ts', join(folder, 'oxlint.config.ts'));
  for (const name of ['node_modules', 'tools']) await symlink(resolve(name), join(folder, name));
  await mkdir(join(folder, 'server'));
  for (const [index, pattern] of [...SLOW_PATTERNS, ...FAST_PATTERNS].entries())
    await writeFile(
      join(folder, `server/${index}.ts`),
      `export const b = (a: string) => [a, ${pattern}];`,
    );
  const program = resolve('node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolveOutput) => {
    const args = [program, '--format', 'json', 'server'];
    // The exit code is not 0, because the linter finds something.
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolveOutput(stdout));
  });
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { code: string; filename: string }[];
  };
  const rejected = diagnostics.filter(({ code }) => code === 'nameplate(linear-patterns)');
  expect(rejected.map(({ filename }) => filename).toSorted()).toEqual(
    SLOW_PATTERNS.map((_pattern, index) => `server/${index}.ts`),
  );
});
