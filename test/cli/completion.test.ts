import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listCompletions } from '#server/cli/completion/completions.ts';
import { createProgram } from '#server/cli/program.ts';
import { runCommand } from './support/command-line.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const completions = listCompletions(createProgram());

/** Completes the last word of each line in bash. */
async function complete(...lines: string[]): Promise<string[][]> {
  const { stdout } = await runCommand({}, 'completion', 'bash');
  const calls = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _nameplate; echo "\${COMPREPLY[*]}"`;
  });
  const script = [stdout, ...calls].join('\n');
  const output = execFileSync('bash', ['--norc', '-c', script], { cwd: ROOT, encoding: 'utf8' });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
}

describe('completion in bash', () => {
  it('completes every command and option', async () => {
    const groups = completions.filter(({ commands }) => commands.length > 0);
    expect(groups.length).toBeGreaterThan(8);
    expect(await complete(...groups.map(({ path }) => `nameplate${path} `))).toEqual(
      groups.map(({ commands }) => commands.map(({ word }) => word)),
    );
    expect(await complete(...completions.map(({ path }) => `nameplate${path} --`))).toEqual(
      completions.map(({ options }) => options.map(({ word }) => word)),
    );
  });

  it('completes partial words, option values and file names', async () => {
    const results = await complete(
      'nameplate acc',
      'nameplate --json keys cre',
      'nameplate keys create --account jane --scope ',
      'nameplate keys create --scope read --exp',
      'nameplate completion z',
      'nameplate accounts create --from pack',
      'nameplate backup LICE',
      'nameplate keys create --label ',
      'nameplate nonsense acc',
    );
    expect(results).toEqual([
      ['accounts'],
      ['create'],
      ['all', 'read', 'metrics', 'operator'],
      ['--expires'],
      ['zsh'],
      ['package-lock.json', 'package.json'],
      ['LICENSE'],
      [''],
      ['accounts'],
    ]);
  });
});

it('an unsupported shell is refused', async () => {
  const { code, stderr } = await runCommand({}, 'completion', 'tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
