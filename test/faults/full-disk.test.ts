import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { useServer } from '../support/use-server.ts';

let projectId: string;
const { server, account } = useServer({ account: true });
beforeAll(async () => {
  projectId = await server.createProject(account);
});

const ingest = () =>
  send(server, account, 'POST /stats/ingest-metrics', { projectId, payload: {} });
const readReadiness = async () => (await server.app.inject('/readyz')).statusCode;

async function whileMetricsFail(error: string, task: () => Promise<void>): Promise<void> {
  await server.sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE ${sql.raw(error)}; END $$`;
  await server.sql`CREATE TRIGGER fail BEFORE INSERT ON metrics
    FOR EACH ROW EXECUTE FUNCTION fail()`;
  try {
    await task();
  } finally {
    await server.sql`DROP FUNCTION fail CASCADE`;
  }
}

it.each([
  'division_by_zero',
  `'could not resize shared memory segment' USING ERRCODE = 'disk_full'`,
])('a server stays ready after a write fails for another reason: %s', async (error) => {
  await whileMetricsFail(error, async () => {
    expect(await ingest()).toMatchObject({ status: 500 });
    expect(await readReadiness()).toBe(200);
  });
});

it('a server whose database disk is full is not ready but serves reads, and recovers without a restart', async () => {
  await whileMetricsFail('disk_full', async () => {
    expect(await readReadiness()).toBe(200);
    expect(await ingest()).toMatchObject({ status: 500 });
    expect(await readReadiness()).toBe(503);
    expect(await send(server, account, 'GET /stats/get-projects')).toMatchObject({ status: 200 });
  });
  await eventually(readReadiness, (status) => status === 200);
  expect(await ingest()).toMatchObject({ status: 200 });
});
