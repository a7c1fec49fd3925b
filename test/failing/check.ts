import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Each of these commands must fail if a test fails. */
const COMMANDS = [
  'test',
  'test:postgres-15',
  'test:pooler',
  'test:failover',
  'test:browser',
  'test:mail',
];

for (const command of COMMANDS) {
  const { code, output } = await runFailingTest(command);
  const isExpected = code === 1 && output.includes("expected 'seen' to be 'expected'");
  process.stdout.write(`${isExpected ? 'ok' : 'WRONG'}: npm run ${command} gives ${code}\n`);
  if (isExpected) continue;
  process.stdout.write(`${output}\n`);
  process.exitCode = 1;
}

function runFailingTest(command: string): Promise<{ code: number; output: string }> {
  const config = ['--config', 'test/failing/vitest.config.ts', 'test/failing/fails.fixture.ts'];
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const env = { ...process.env, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('npm', ['run', command, '--', ...config], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
