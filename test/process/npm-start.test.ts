import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { dataFolder } from '../support/data-folder.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { databaseProcess, endDatabase } from '../support/server-process.ts';

it('SIGTERM to npm start stops the server and its database, and npm ends when they have', async () => {
  const DATA_DIR = await dataFolder();
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    // An empty variable keeps the one of a developer's .env away.
    env: environment({ PORT: '0', DATA_DIR, DATABASE_URL: '' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the test can end what npm leaves behind.
    detached: true,
  });
  onTestFinished(async () => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await endDatabase(DATA_DIR);
  });
  const ended = once(npm, 'exit');
  let logged = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (logged += text));
  for await (const text of npm.stderr.iterator({ destroyOnReturn: false }))
    if (String(text).includes('Ready.')) break;
  npm.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await eventually(() => expect(logged).toContain('"stopped"'));
  expect(await databaseProcess(DATA_DIR)).toBeUndefined();
});
