import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fishScript } from '#server/cli/completion/fish.ts';
import { listCompletions } from '#server/cli/completion/completions.ts';
import { zshScript } from '#server/cli/completion/zsh.ts';
import { createProgram } from '#server/cli/program.ts';
import { eventually } from '../support/eventually.ts';
import { createTempFolder } from '../support/server-process.ts';

const completions = listCompletions(createProgram());

it('fish completes every command and option with its description', () => {
  const calls = completions.flatMap(({ path }) =>
    ['', '--'].map((word) => `complete -C 'nameplate${path} ${word}'; echo .`),
  );
  const script = [fishScript('nameplate', completions), ...calls].join('\n');
  const results = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
    .split(/^\.$/m)
    .map((result) => result.trim().split('\n'));
  for (const [index, { path, commands, options }] of completions.entries()) {
    const toLines = (list: typeof commands) =>
      list.map((entry) => `${entry.word}\t${entry.description}`);
    expect(results[2 * index], path).toEqual(expect.arrayContaining(toLines(commands)));
    expect(results[2 * index + 1]!.toSorted(), path).toEqual(toLines(options).toSorted());
  }
});

it('zsh completes commands, options, values and files at the Tab key', async () => {
  const file = join(await createTempFolder(), 'completion.zsh');
  await writeFile(file, zshScript('nameplate', completions));
  const child = spawn('script', ['-qec', 'zsh -f -i', '/dev/null'], {
    env: { ...process.env, TERM: 'dumb', COLUMNS: '400' },
  });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const type = async (input: string, expected: string) => {
    output = '';
    child.stdin.write(input);
    await eventually(() => expect(output).toContain(expected));
  };
  // `rea''dy` prints `ready`, but the terminal's echo of the command does not contain it.
  await type(`autoload -Uz compinit && compinit -u -D; source ${file}; print rea''dy\n`, 'ready');
  await type('nameplate acc\t', 'nameplate accounts ');
  await type('cre\t', 'create ');
  await type('--fr\t', '--from ');
  await type('/etc/host\t', '/etc/host');
  await type('\u0015nameplate keys create --scope me\t', '--scope metrics ');
  await type('\u0015nameplate forwarding \t', 'aliases with the database');
});
