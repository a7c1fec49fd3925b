import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Checks that each of these commands fails if a test fails. The other kinds of failure are checked
 * only with `npm test`, because all commands use the same test runner.
 */
const COMMANDS = ['test:postgres-15', 'test:pooler', 'test:failover', 'test:browser', 'test:mail'];

const FAILING_TEST = {
  description: 'a failing test',
  file: 'fails',
  code: 1,
  expectedOutput: "expected 'seen' to be 'expected'",
};
/** Files in this folder, with the exit code and output that `npm test` must produce. */
const CASES = [
  { description: 'a passing test', file: 'passes', code: 0, expectedOutput: 'passed' },
  FAILING_TEST,
  {
    description: 'an unhandled rejection',
    file: 'rejects',
    code: 1,
    expectedOutput: 'rejected without a handler',
  },
  {
    description: 'a crash',
    file: 'crashes',
    code: 1,
    expectedOutput: 'Worker exited unexpectedly',
  },
  { description: 'no test', file: 'missing', code: 1, expectedOutput: 'No test files found' },
];

for (const testCase of CASES) await check('test', testCase);
for (const command of COMMANDS) await check(command, FAILING_TEST);

async function check(
  command: string,
  { description, file, code, expectedOutput }: typeof FAILING_TEST,
) {
  const run = await runCommand(command, file);
  const isExpected = run.code === code && run.output.includes(expectedOutput);
  process.stdout.write(
    `${isExpected ? 'ok' : 'WRONG'}: npm run ${command}: ${description} gives ${run.code}\n`,
  );
  if (isExpected) return;
  process.stdout.write(
    `It should give ${code} and print "${expectedOutput}"; it printed:\n${run.output}\n`,
  );
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
