import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Checks that the test commands can fail: each runs a failing test with its own configuration and
 * setup, and must exit with a code other than 0. They share one test runner, so one command is
 * enough for the other kinds of failure.
 */
const COMMANDS = [
  'test:postgres-15',
  'test:pooler',
  'test:haproxy',
  'test:failover',
  'test:browser',
  'test:mail',
];

const FAILING = {
  what: 'a failing test',
  file: 'fails',
  code: 1,
  says: "expected 'seen' to be 'expected'",
};
/** A file in this folder and the text that its run must print. */
const CASES = [
  { what: 'a passing test', file: 'passes', code: 0, says: 'passed' },
  FAILING,
  { what: 'a rejection that nobody handles', file: 'rejects', code: 1, says: 'rejected unseen' },
  { what: 'a crash', file: 'crashes', code: 1, says: 'Worker exited unexpectedly' },
  { what: 'no test', file: 'missing', code: 1, says: 'No test files found' },
];

for (const each of CASES) await check('test', each);
for (const command of COMMANDS) await check(command, FAILING);

async function check(command: string, { what, file, code, says }: typeof FAILING) {
  const run = await runCommand(command, file);
  const isRight = run.code === code && run.output.includes(says);
  process.stdout.write(
    `${isRight ? 'ok' : 'WRONG'}: npm run ${command}: ${what} gives ${run.code}\n`,
  );
  if (isRight) return;
  process.stdout.write(`It should give ${code} and print "${says}"; it printed:\n${run.output}\n`);
  process.exitCode = 1;
}

function runCommand(command: string, file: string): Promise<{ code: number; output: string }> {
  const config = ['--config', 'test/failing/vitest.config.ts', `test/failing/${file}.fixture.ts`];
  return new Promise((resolve) => {
    execFile(
      'npm',
      ['run', command, '--', ...config],
      {
        cwd: fileURLToPath(new URL('../../', import.meta.url)),
        env: { ...process.env, NO_COLOR: '1' },
      },
      (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
