import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { fetchJson } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

it.each([2, 300])(
  'a server handles %i requests while nothing reads its log, and stops on a signal',
  async (requests) => {
    const DATABASE_URL = await createPostgresDatabase('nameplate_template');
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: childEnvironment({ PORT: '0', DATABASE_URL }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    let stderr = '';
    child.stderr.setEncoding('utf8');
    for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
      stderr += String(text);
      if (stderr.includes('Ready.')) break;
    }
    const [, url = ''] = /listens on (http:\/\/\S+)\s/.exec(stderr) ?? [];
    child.stdout.destroy();
    for (let round = 0; round < requests; round += 1)
      expect(await fetchJson(`${url}/healthz`)).toMatchObject({ status: 200 });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);

it('the logger buffers 16 MiB of unread output, then logs how many lines it dropped', async () => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./log-writer.ts'))]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  let lineCount = 0;
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as { lines?: number };
    if (line.lines === undefined) lineCount += 1;
    else {
      expect(lineCount + line.lines).toBe(20_000);
      child.stdin.end();
    }
  }
  expect(lineCount).toBeGreaterThan(14_000);
  expect(lineCount).toBeLessThan(17_000);
});

it('a server stops when its terminal is closed', async () => {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    // Nothing listens on this port, so the server keeps logging errors.
    env: childEnvironment({ PORT: '0', DATABASE_URL: 'postgres://127.0.0.1:1/x' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await exited).toEqual([1, null]);
});
