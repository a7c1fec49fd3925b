import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { createTempFolder } from '../support/server-process.ts';
import { startTestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const documentation = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const commands = [...documentation.matchAll(/^ *(pg_(?:dump|restore) .+)$/gm)].map(
  ([, command]) => command!,
);

it('the documented commands restore everything into an empty database', async () => {
  expect(commands.map((command) => command.split(' ')[0])).toEqual(['pg_dump', 'pg_restore']);
  const [DATABASE_URL, RESTORED_URL] = [
    await createPostgresDatabase('nameplate_template'),
    await createPostgresDatabase(),
  ];
  const originalServer = await startTestApp({}, connectPostgresDatabase(DATABASE_URL));
  const account = await originalServer.createNamedAccount('came-back');
  const projectId = await originalServer.createProject(account);
  await account.client.stats.ingestMetrics({ projectId, payload: { b: 1, a: 2 } });

  const cwd = await createTempFolder();
  for (const command of commands)
    await promisify(execFile)('sh', ['-c', command], {
      cwd,
      env: {
        PATH: ['/usr/lib/postgresql/15/bin', process.env['PATH']].join(delimiter),
        DATABASE_URL,
        RESTORED_URL,
      },
    });

  const restoredServer = await startTestApp({}, connectPostgresDatabase(RESTORED_URL));
  expect(await send(restoredServer, account, 'GET /account/get-display-name')).toMatchObject({
    status: 200,
    body: { display_name: 'came-back' },
  });
  const readMetrics = (app: typeof restoredServer) =>
    app.db.selectFrom('metrics').selectAll().execute();
  expect(await readMetrics(restoredServer)).toEqual(await readMetrics(originalServer));
  expect(await readMetrics(restoredServer)).toHaveLength(1);
  const json = { projectId, payload: {} };
  expect(await send(restoredServer, account, 'POST /stats/ingest-metrics', json)).toMatchObject({
    status: 200,
  });
  await originalServer.close();
  await restoredServer.close();
});
