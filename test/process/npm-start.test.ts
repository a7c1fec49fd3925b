import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { findDatabasePid, stopDatabase } from '../support/server-process.ts';

it('SIGTERM to npm start stops the server and its database, then npm exits', async () => {
  const dataDir = await copyDataDir();
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    // An empty value overrides a developer's .env.
    env: childEnvironment({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that the test can kill what npm leaves running.
    detached: true,
  });
  onTestFinished(async () => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // The processes have already exited.
    }
    await stopDatabase(dataDir);
  });
  const exited = once(npm, 'exit');
  let stdout = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  for await (const text of npm.stderr.iterator({ destroyOnReturn: false }))
    if (String(text).includes('Ready.')) break;
  npm.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await eventually(() => expect(stdout).toContain('"stopped"'));
  expect(await findDatabasePid(dataDir)).toBeUndefined();
});
