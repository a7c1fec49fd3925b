import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommandProcess, runJson } from '../cli/support/command-line.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import {
  findDatabasePid,
  fetchJson,
  readFirstKey,
  startServer,
  createTempFolder,
} from '../support/server-process.ts';

/** Variables of libpq and the driver, with values that break any connection that uses them. */
const BROKEN_VARIABLES = {
  ...Object.fromEntries(
    [
      ...['PGHOST', 'PGHOSTADDR', 'PGDATABASE', 'PGUSER', 'PGPASSWORD', 'PGPASSFILE', 'PGDATA'],
      ...['PGAPPNAME', 'PGSERVICE', 'PGSERVICEFILE', 'PGSYSCONFDIR', 'PGLOCALEDIR', 'PGTZ'],
      ...['PGCLIENTENCODING', 'PGCLIENT_ENCODING', 'PGDATESTYLE', 'PGGEQO', 'PGREPLICATION'],
      ...['PGSSLCERT', 'PGSSLKEY', 'PGSSLROOTCERT', 'PGSSLNEGOTIATION', 'PGREQUIREAUTH'],
      ...['PGCHANNELBINDING', 'PGGSSENCMODE', 'PGTARGETSESSIONATTRS', 'PGCONNECT_TIMEOUT'],
      ...['PGBINARY', 'PG_COLOR'],
    ].map((name) => [name, 'nonsense']),
  ),
  PGPORT: '1',
  PGSSLMODE: 'require',
  PGOPTIONS: '-c nonsense=1',
};

it('PG* variables do not affect the server and commands with the embedded database', async () => {
  const folder = await createTempFolder();
  const settings = { ...BROKEN_VARIABLES, DATA_DIR: await copyDataDir() };
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://localhost' };
  const server = await startServer({ ...settings, ...mail });
  const { key } = await readFirstKey(settings.DATA_DIR);
  expect(await fetchJson(`${server.url}/account/get-display-name`, { key })).toEqual({
    status: 200,
    body: { display_name: '' },
  });
  const backup = join(folder, 'backup.zip');
  await runJson(settings, 'backup', backup);
  await server.stop();

  // A new process, because libraries may read variables when they load.
  const restoredSettings = { ...settings, DATA_DIR: join(folder, 'restored') };
  expect(await runCommandProcess(restoredSettings, 'restore', backup)).toMatchObject({ code: 0 });
  expect(await runJson(restoredSettings, 'members.listMembers')).toMatchObject({
    members: [{ operator: true }],
  });
  expect(await findDatabasePid(restoredSettings.DATA_DIR)).toBeUndefined();
});
