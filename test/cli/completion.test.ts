import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listCompletions } from '#server/cli/completion/completions.ts';
import { createProgram } from '#server/cli/program.ts';
import { runCommand } from './support/command-line.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const places = listCompletions(createProgram());

/** Completes the last word of each line in bash. */
async function complete(...lines: string[]): Promise<string[][]> {
  const { stdout } = await runCommand({}, 'completion', 'bash');
  const calls = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _nameplate; echo "\${COMPREPLY[*]}"`;
  });
  const script = [stdout, ...calls].join('\n');
  const answer = execFileSync('bash', ['--norc', '-c', script], { cwd: ROOT, encoding: 'utf8' });
  return answer
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
}

describe('completion in bash', () => {
  it('knows every command and every option of the tree', async () => {
    const groups = places.filter(({ commands }) => commands.length > 0);
    expect(groups.length).toBeGreaterThan(8);
    expect(await complete(...groups.map(({ path }) => `nameplate${path} `))).toEqual(
      groups.map(({ commands }) => commands.map(({ word }) => word)),
    );
    expect(await complete(...places.map(({ path }) => `nameplate${path} --`))).toEqual(
      places.map(({ options }) => options.map(({ word }) => word)),
    );
  });

  it('completes the beginning of a word, values and files', async () => {
    const answers = await complete(
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
    expect(answers).toEqual([
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

it('other shells are refused', async () => {
  const { code, stderr } = await runCommand({}, 'completion', 'tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
