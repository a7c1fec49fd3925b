import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

it.each([2, 300])(
  'a server handles %i requests while nothing reads its log, and stops on a signal',
  async (requests) => {
    const server = await startServer({
      DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    });
    server.stopReading('stdout');
    for (let round = 0; round < requests; round += 1)
      expect(await fetchJson(`${server.url}/healthz`)).toMatchObject({ status: 200 });
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
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
  // Nothing listens on this port, so the server keeps logging errors.
  const server = spawnServer({ DATABASE_URL: 'postgres://127.0.0.1:1/x' });
  await server.waitFor(/./);
  server.stopReading('all');
  expect(await server.exited).toBe(1);
});
