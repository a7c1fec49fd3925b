import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Proves that the commands which run tests can fail: each runs a test that must fail, with its own
 * configuration and set-up, and has to end with another code than 0.
 */
const COMMANDS = [
  'test',
  'test:postgres-15',
  'test:pooler',
  'test:haproxy',
  'test:failover',
  'test:browser',
  'test:mail',
];

/** A file of this folder, and what a run of it has to say. */
const CASES = [
  { what: 'a passing test', file: 'passes', code: 0, says: 'passed' },
  { what: 'a failing test', file: 'fails', code: 1, says: "expected 'seen' to be 'expected'" },
  { what: 'a rejection that nobody handles', file: 'rejects', code: 1, says: 'rejected unseen' },
  { what: 'a crash', file: 'crashes', code: 1, says: 'Worker exited unexpectedly' },
  { what: 'no test', file: 'missing', code: 1, says: 'No test files found' },
];

for (const command of COMMANDS)
  for (const { what, file, code, says } of CASES) {
    const run = await runCommand(command, file);
    const right = run.code === code && run.output.includes(says);
    process.stdout.write(
      `${right ? 'ok' : 'WRONG'}: npm run ${command}: ${what} gives ${run.code}\n`,
    );
    if (right) continue;
    process.stdout.write(`It should give ${code} and say "${says}"; it said:\n${run.output}\n`);
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
