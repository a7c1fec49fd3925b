import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { fetchJson } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

it.each([2, 300])(
  'a server handles %i requests when nothing reads its log, and stops on a signal',
  async (requests) => {
    const DATABASE_URL = await createPostgresDatabase('nameplate_template');
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: childEnvironment({ PORT: '0', DATABASE_URL }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    let said = '';
    child.stderr.setEncoding('utf8');
    for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (said.includes('Ready.')) break;
    }
    const [, url = ''] = /listens on (http:\/\/\S+)\s/.exec(said) ?? [];
    child.stdout.destroy();
    for (let round = 0; round < requests; round += 1)
      expect(await fetchJson(`${url}/healthz`)).toMatchObject({ status: 200 });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

it('a server buffers 16 MiB of an unread log and logs how many lines it dropped', async () => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./unread-log.ts'))]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  let kept = 0;
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as { lines?: number };
    if (line.lines === undefined) kept += 1;
    else {
      expect(kept + line.lines).toBe(20_000);
      child.stdin.end();
    }
  }
  expect(kept).toBeGreaterThan(14_000);
  expect(kept).toBeLessThan(17_000);
});

it('a server stops when its terminal is closed', async () => {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    // Nothing listens there, so the server keeps logging errors.
    env: childEnvironment({ PORT: '0', DATABASE_URL: 'postgres://127.0.0.1:1/x' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await ended).toEqual([1, null]);
});
