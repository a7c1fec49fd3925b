import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient, answered } from '../../server/admin/client.ts';
import type { AdminDependencies } from '../../server/admin/context.ts';
import { startAdmin } from '../../server/admin/start.ts';
import { throughSocket } from '../../server/admin/transport.ts';
import { insertAccount } from '../../db/queries/accounts.ts';
import { insertProject } from '../../db/queries/stats.ts';
import { databaseForwarding } from '../../server/service/forwarding/database-forwarding.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

const logger = pino({ level: 'silent' });

let database: TestDatabase;
let dependencies: AdminDependencies;
beforeAll(async () => {
  database = await openTestDatabase();
  dependencies = {
    db: database.db,
    forwarding: databaseForwarding('none', database.db),
    isReserved: () => false,
    quarantineDays: 30,
    forgetKeys: () => {},
    migrate: () => Promise.resolve([]),
  };
});
afterAll(() => database.close());

describe('the administration socket', () => {
  it('belongs to its owner alone, and is gone when the server stops', async () => {
    const dataDir = await temporaryFolder();
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    const { mode } = await stat(join(dataDir, 'admin.sock'));
    expect({ mode: mode & 0o777, files: await readdir(dataDir) }).toEqual({
      mode: 0o600,
      files: ['admin.sock'],
    });
    await close();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes the place of what a dead process left', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'admin.sock'), '');
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    const admin = adminClient(throughSocket(dataDir, 'admin.sock'));
    expect(answered(await admin.accounts.listAccounts())).toEqual([]);
    await close();
  });

  it('works in a folder whose path is longer than a socket may have', async () => {
    const dataDir = join(await temporaryFolder(), 'long-'.repeat(20), 'longer-'.repeat(10));
    await mkdir(dataDir, { recursive: true });
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    expect((await stat(join(dataDir, 'admin.sock'))).mode & 0o777).toBe(0o600);
    const admin = adminClient(throughSocket(dataDir, 'admin.sock'));
    expect(answered(await admin.accounts.listAccounts())).toEqual([]);
    await close();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is no reason not to start, where it cannot be made', async () => {
    const dataDir = join(await temporaryFolder(), 'missing');
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    await close();
  });

  it('refuses what the contract does not know, as the API does', async () => {
    const dataDir = await temporaryFolder();
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    const send = throughSocket(dataDir, 'admin.sock');
    const answer = async (method: string, path: string, body?: string) => {
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      const response = await send({ method, path, headers, body });
      return { status: response.status, body: JSON.parse(await text(response.body)) as unknown };
    };
    expect(await answer('GET', '/nonsense')).toEqual({
      status: 404,
      body: { error: 'There is nothing at this path.' },
    });
    expect(await answer('POST', '/keys/list')).toEqual({
      status: 405,
      body: { error: 'The method is not supported here; use GET, HEAD.' },
    });
    expect(await answer('GET', '/keys/list')).toEqual({
      status: 400,
      body: { error: 'An account is required.' },
    });
    expect(await answer('POST', '/keys/create', '{')).toEqual({
      status: 400,
      body: { error: 'The request body is not valid JSON.' },
    });
    await close();
  });

  it('streams an export, which a stop cuts off with an error', async () => {
    const project = await database.db.transaction().execute(async (trx) => {
      const account = await insertAccount(trx);
      return (await insertProject(trx, account, 'Large')).id;
    });
    await sql`INSERT INTO metrics (project_id, payload)
      SELECT ${project}::uuid, json_build_object('text', repeat('x', 1000000))
      FROM generate_series(1, 60)`.execute(database.db);
    const dataDir = await temporaryFolder();
    const { close } = await startAdmin({ ...dependencies, dataDir, logger });
    const admin = adminClient(throughSocket(dataDir, 'admin.sock'));

    const whole = answered(await admin.metrics.exportMetrics({ query: { project } }));
    expect((await text(whole)).match(/\n/g)).toHaveLength(60);

    const cut = answered(await admin.metrics.exportMetrics({ query: { project } }));
    await once(cut, 'readable');
    const [ended] = await Promise.allSettled([text(cut), close()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'ECONNRESET' } });
  });
});
