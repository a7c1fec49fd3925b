import { expect, it } from 'vitest';
import { runJson } from '../cli/support/command-line.ts';
import { startDatabaseProxy } from '../faults/support/database-proxy.ts';
import { startServer } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

it('a server warns, but starts, if its pooler drops time limits; check reports it too', async () => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
  // Drops a startup parameter, like PgBouncer with `ignore_startup_parameters`.
  proxy.replace('lock_timeout\0', 'left.nowhere\0');
  const server = await startServer({ DATABASE_URL: proxy.url });
  expect(server.stderr()).toContain(
    'A pooler in front of PostgreSQL removes lock_timeout. Set it for the user of DATABASE_URL with ALTER ROLE. Otherwise, a statement may still run after its request has failed.\n',
  );
  await server.stop();
  expect(server.stdout()).toContain('"missing":["lock_timeout"]');
  expect(await runJson({ DATABASE_URL: proxy.url }, 'check')).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        code: 'database',
        level: 'warning',
        text: expect.stringMatching(/^A pooler in front of PostgreSQL removes lock_timeout\./),
      }),
    ]),
  });
  await proxy.close();
});
