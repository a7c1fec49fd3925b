import { describe, expect, it, onTestFinished } from 'vitest';
import { insertProject } from '#db/queries/projects.ts';
import { call } from '../support/call.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import {
  fetchJson,
  readFirstKey,
  killDatabase,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';
import { insertTestAccount, startTestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';

const WRITES_BEFORE_KILL = 150;
const WRITERS = 6;

interface Owner {
  key: string;
  projectId: string;
}

interface AcknowledgedWrites {
  metrics: number[];
  /** Number of the last acknowledged site update. */
  site: number;
}

let lastMetric = 0;

/** Starts a server, writes to it concurrently, and kills it during the writes. */
async function writeAndKill(
  settings: Record<string, string>,
  findOwner: () => Owner | Promise<Owner>,
  acknowledged: AcknowledgedWrites,
  kill = (server: ServerProcess) => server.signal('SIGKILL'),
): Promise<void> {
  const server = await startServer(settings);
  const { key, projectId } = await findOwner();
  let writeCount = 0;
  const post = async (path: string, json: object) => {
    const send = () =>
      fetchJson(`${server.url}${path}`, { key, method: 'POST', json }).catch(() => undefined);
    let response = await send();
    // On a busy machine a request may time out, and then has no effect.
    while (response && response.status >= 500) response = await send();
    if (!response) return false;
    expect(response.status).toBe(200);
    writeCount += 1;
    if (writeCount === WRITES_BEFORE_KILL) kill(server);
    return true;
  };
  const ingest = async () => {
    for (;;) {
      lastMetric += 1;
      const n = lastMetric;
      if (!(await post('/stats/ingest-metrics', { projectId, payload: { n } }))) return;
      acknowledged.metrics.push(n);
    }
  };
  const updateSite = async () => {
    for (let n = acknowledged.site + 1; ; n += 1) {
      const blocks = Array.from({ length: 5 }, () => ({ type: 'text', content: String(n) }));
      const update = { bio: String(n), mood: String(n), blocks };
      if (!(await post('/site/update-site-configuration', update))) return;
      acknowledged.site = n;
    }
  };
  await Promise.all([updateSite(), ...Array.from({ length: WRITERS }, ingest)]);
  expect(await server.exited).toBeNull();
}

/** Expects the site to be exactly the last acknowledged update, or the next one. */
async function expectCompleteSite(
  database: TestDatabase,
  key: string,
  acknowledged: number,
): Promise<void> {
  const { app, jobs } = await startTestApp({}, database);
  onTestFinished(async () => {
    await app.close();
    await jobs.close();
  });
  const { text } = await call(app, { path: '/site/get-site-configuration', key });
  const { site, blocks } = JSON.parse(text) as {
    site: { bio: string | null; mood: string | null };
    blocks: { content: string }[];
  };
  const lastUpdate = Number(site.bio);
  expect([acknowledged, acknowledged + 1]).toContain(lastUpdate);
  expect([site.mood, ...blocks.map(({ content }) => content)]).toEqual(
    lastUpdate === 0 ? [null] : Array.from({ length: 6 }, () => String(lastUpdate)),
  );
}

async function expectMetrics({ db }: TestDatabase, { metrics }: AcknowledgedWrites): Promise<void> {
  const rows = await db.selectFrom('metrics').select('payload').execute();
  const storedNumbers = rows.map(({ payload }) => (payload as { n: number }).n);
  const storedIds = new Set(storedNumbers);
  expect(metrics.filter((n) => !storedIds.has(n))).toEqual([]);
  expect(storedIds.size).toBe(storedNumbers.length);
  // Each writer had at most one unacknowledged write.
  expect(storedNumbers.length - metrics.length).toBeLessThanOrEqual(WRITERS);
}

describe('SIGKILL during writes loses no acknowledged write', () => {
  it('on a server with the embedded database', async () => {
    const DATA_DIR = await copyDataDir();
    const acknowledged: AcknowledgedWrites = { metrics: [], site: 0 };
    await writeAndKill(
      { DATA_DIR, LOG_LEVEL: 'error' },
      () => readFirstKey(DATA_DIR),
      acknowledged,
      (server) => {
        server.signal('SIGKILL');
        // Kill the database a moment later, as if the whole machine failed.
        void killDatabase(DATA_DIR);
      },
    );
    const database = await openEmbeddedTestDatabase(DATA_DIR);
    onTestFinished(database.close);
    await expectMetrics(database, acknowledged);
    await expectCompleteSite(database, (await readFirstKey(DATA_DIR)).key, acknowledged.site);
  });

  it('on a server with a PostgreSQL server', async () => {
    const DATABASE_URL = await createPostgresDatabase('nameplate_template');
    const database = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(database.close);
    const { db } = database;
    const { id, key } = await insertTestAccount(db);
    const owner = { key, projectId: (await insertProject(db, id, 'Shop')).id };
    const acknowledged: AcknowledgedWrites = { metrics: [], site: 0 };
    await writeAndKill({ DATABASE_URL, LOG_LEVEL: 'error' }, () => owner, acknowledged);
    await expectMetrics(database, acknowledged);
    await expectCompleteSite(database, key, acknowledged.site);
  });
});
