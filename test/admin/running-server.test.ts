import { once } from 'node:events';
import { createServer } from 'node:net';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../db/lock.ts';
import { fetchJson, spawnServer, startServer, temporaryFolder } from '../support/server-process.ts';
import { runCommand, runJson } from './support/command-line.ts';

const KEY_REQUIRED = 'A valid API key (or login) is required: send it in the X-API-KEY header.';

interface Account {
  account_id: string;
  display_name: string;
  api_key: string;
}

describe('a server on the embedded database', () => {
  it('refuses a revoked key, and the keys of a deleted account, on the very next request', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const { url } = await startServer({ DATA_DIR });
    expect((await stat(join(DATA_DIR, 'admin.sock'))).mode & 0o777).toBe(0o600);
    const jane = (await runJson(
      { DATA_DIR },
      ...['accounts', 'create', '--display-name', 'jane-doe'],
    )) as Account;
    const { key_id, api_key } = (await runJson(
      { DATA_DIR },
      ...['keys', 'create', '--account', 'jane-doe'],
    )) as { key_id: string; api_key: string };
    const read = (key: string) => fetchJson(`${url}/account/get-display-name`, { key });
    const valid = { status: 200, body: { display_name: 'jane-doe' } };
    const refused = { status: 401, body: { error: KEY_REQUIRED } };

    expect(await read(api_key)).toEqual(valid);
    expect(await read(jane.api_key)).toEqual(valid);
    await runJson({ DATA_DIR }, 'keys', 'revoke', key_id);
    expect(await read(api_key)).toEqual(refused);
    expect(await read(jane.api_key)).toEqual(valid);
    await runJson({ DATA_DIR }, 'accounts', 'delete', 'jane-doe', '--yes');
    expect(await read(jane.api_key)).toEqual(refused);
  });

  it('keeps the name of a deleted account that had mail out of reach of others', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const { url } = await startServer({ DATA_DIR });
    const create = ['accounts', 'create', '--display-name', 'had-mail'];
    const { api_key: key } = (await runJson({ DATA_DIR }, ...create)) as Account;
    const enabled = await fetchJson(`${url}/email-forwarding/email-forwarding-toggle`, {
      key,
      method: 'POST',
      json: { enabled: true, email: 'jane@example.org' },
    });
    expect(enabled.status).toBe(200);
    await runJson({ DATA_DIR }, 'accounts', 'delete', 'had-mail', '--yes');
    expect(await runCommand({ DATA_DIR }, ...create)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The display name had-mail is already taken.\n',
    });
  });

  it('exports what it has just taken in, and shows what happened', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const { url } = await startServer({ DATA_DIR });
    const { api_key: key } = (await runJson({ DATA_DIR }, 'accounts', 'create')) as Account;
    await fetchJson(`${url}/account/update-display-name`, {
      key,
      method: 'POST',
      json: { display_name: 'shopkeeper' },
    });
    const { id } = (await runJson(
      { DATA_DIR },
      ...['projects', 'create', '--account', 'shopkeeper', '--name', 'Shop'],
    )) as { id: string };
    for (const visitors of [1, 2])
      await fetchJson(`${url}/stats/ingest-metrics`, {
        key,
        method: 'POST',
        json: { projectId: id, payload: { visitors } },
      });
    const { stdout } = await runCommand({ DATA_DIR }, 'metrics', 'export', '--project', id);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toEqual(
      [1, 2].map((visitors) => ({
        id: expect.stringMatching(/^\d+$/),
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        payload: { visitors },
      })),
    );
    expect(await runJson({ DATA_DIR }, 'events', 'list', '--account', 'shopkeeper')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'display_name_updated',
        outcome: 'succeeded',
        detail: { from: null, to: 'shopkeeper' },
        created_at: expect.stringMatching(/Z$/),
        completed_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('is waited for while it starts', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const server = spawnServer({ DATA_DIR });
    const [accounts] = await Promise.all([
      runJson({ DATA_DIR }, 'accounts', 'list'),
      server.waitFor(/^Ready\.|is using the data folder/m),
    ]);
    expect(accounts).toBeInstanceOf(Array);
  });

  it('that does not answer is told of, with exit code 1', { timeout: 60_000 }, async () => {
    const DATA_DIR = await temporaryFolder();
    const release = await acquireLock(join(DATA_DIR, 'database.lock'));
    const outcome = await runCommand({ DATA_DIR }, 'accounts', 'list');
    await release();
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: `Process ${process.pid} has the data folder ${DATA_DIR} to itself and does not answer; it may be starting, stopping or running another command. Try again when it is done.\n`,
    });
  });

  it('that stops in the middle of a command is told of, with exit code 1', async () => {
    const DATA_DIR = await temporaryFolder();
    const release = await acquireLock(join(DATA_DIR, 'database.lock'));
    const server = createServer((socket) => socket.once('data', () => socket.destroy()));
    server.listen(join(DATA_DIR, 'admin.sock'));
    await once(server, 'listening');
    const outcome = await runCommand({ DATA_DIR }, 'accounts', 'list');
    server.close();
    await release();
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The server stopped before it answered; what came of the command is unknown.\n',
    });
  });
});
