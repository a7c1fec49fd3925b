import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectForCopy } from '#db/backup/connection.ts';
import { runEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import { takeSnapshot } from '#db/backup/snapshot.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import {
  findDatabasePid,
  fetchJson,
  readFirstKey,
  startServer,
  createTempFolder,
} from '../support/server-process.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openEmbeddedTestDatabase,
} from '../support/test-database.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { runCommand, runJson } from './support/command-line.ts';
import { readContents, isEmpty } from './support/contents.ts';

async function createEmptyDatabase() {
  const url = await createPostgresDatabase();
  const database = connectPostgresDatabase(url);
  onTestFinished(database.close);
  return { url, database };
}

async function readDataDir(dataDir: string) {
  const { db, close } = await openEmbeddedTestDatabase(dataDir);
  const contents = await readContents(db);
  await close();
  return contents;
}

describe('move', () => {
  it('copies a data folder to a PostgreSQL server that then works, and leaves the original unchanged', async () => {
    const DATA_DIR = await copyDataDir();
    const { key, projectId } = await readFirstKey(DATA_DIR);
    const json = { projectId, payload: { b: 1, a: 'ä' } };
    const path = '/stats/ingest-metrics';
    const source = await openEmbeddedTestDatabase(DATA_DIR);
    await sql`INSERT INTO metrics (project_id, payload)
      VALUES (${projectId}, ${JSON.stringify(json.payload)})`.execute(source.db);
    const before = await readContents(source.db);
    await source.close();
    expect(before.rows['metrics']).toHaveLength(1);

    const { url, database } = await createEmptyDatabase();
    const { code, stdout, stderr } = await runCommand({ DATA_DIR }, 'move', '--to', url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Moved +\/.*\nAccounts +1\nRows +\d+\n\nAll rows were copied\. Set DATABASE_URL/,
    );
    expect(await readContents(database.db)).toEqual(before);
    expect(await readDataDir(DATA_DIR)).toEqual(before);
    expect(await findDatabasePid(DATA_DIR)).toBeUndefined();

    const movedServer = await startServer({ DATABASE_URL: url });
    expect(
      await fetchJson(`${movedServer.url}${path}`, { method: 'POST', key, json }),
    ).toMatchObject({
      status: 200,
    });
  });

  it('is refused while a server is running, and makes other commands fail with a message', async () => {
    const DATA_DIR = await copyDataDir();
    const lockDataDir = async (purpose: 'server' | 'move') => {
      const { close } = await runEmbeddedDatabase({
        dataDir: DATA_DIR,
        onMessage: () => {},
        createIfMissing: false,
        purpose,
        onLog: () => {},
        onRestart: () => {},
      });
      return close;
    };
    const stopServer = await lockDataDir('server');
    const { url, database } = await createEmptyDatabase();
    expect(await runCommand({ DATA_DIR }, 'move', '--to', url)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Another process \(\d+\) is using the data folder .*; stop it, or choose another DATA_DIR\.\n$/,
      ) as string,
    });
    expect(await isEmpty(database.db)).toBe(true);
    await stopServer();

    onTestFinished(await lockDataDir('move'));
    for (const command of [['accounts', 'create'], ['status']])
      expect(await runCommand({ DATA_DIR }, ...command)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Another process \(\d+\) is moving the database in .* to a PostgreSQL server; try again when it is done\.\n$/,
        ) as string,
      });
  });

  it('blocks writes', async () => {
    const database = connectPostgresDatabase(await createPostgresDatabase('nameplate_template'));
    onTestFinished(database.close);
    const connection = await connectForCopy(database.url!);
    await takeSnapshot(connection, { blockWrites: true });
    const write = sql`INSERT INTO accounts DEFAULT VALUES`.execute(database.db);
    await waitForBlockedQuery(database.db);
    await connection[Symbol.asyncDispose]();
    await write;
  });

  it('is refused into a database that is not empty', async () => {
    const targetUrl = await createPostgresDatabase('nameplate_template');
    expect(await runCommand({ DATA_DIR: await copyDataDir() }, 'move', '--to', targetUrl)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The database of --to is not empty. Nothing was changed. Create a new database with createdb.\n',
    });
  });

  it.each([
    [
      'postgres://jane:hush@127.0.0.1:1/nothing',
      'The PostgreSQL server of --to cannot be reached: nothing listens there (ECONNREFUSED).',
    ],
    ['postgres://a,b/nothing', /must name one host/],
  ])('to %s prints one message without a password', async (to, message) => {
    const { code, stderr } = await runCommand(
      { DATA_DIR: await copyDataDir() },
      'move',
      '--to',
      to,
    );
    expect(code).toBe(typeof message === 'string' ? 1 : 2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hush');
  });

  it('is refused if there is nothing to move', async () => {
    const DATA_DIR = join(await createTempFolder(), 'data');
    const { url } = await createEmptyDatabase();
    expect(await runCommand({ DATA_DIR }, 'move', '--to', url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no database in /) as string,
    });
    expect(await runCommand({ DATABASE_URL: url }, 'move', '--to', url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL is set, /) as string,
    });
  });

  it('prints the number of rows per table as JSON', async () => {
    const DATA_DIR = await copyDataDir();
    const { url } = await createEmptyDatabase();
    expect(await runJson({ DATA_DIR }, 'move', '--to', url)).toMatchObject({
      from: DATA_DIR,
      rows: { accounts: 1, api_keys: 1 },
      unknown_tables: [],
    });
  });
});
