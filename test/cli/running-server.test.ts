import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { useShared } from '../support/use-shared.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { runCommand, runJson } from './support/command-line.ts';

const KEY_REQUIRED =
  'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.';

interface Account {
  account_id: string;
  display_name: string;
  api_key: string;
}

describe('while a server is running', () => {
  const getServer = useShared(async (onFinished) => {
    const settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
    return { settings, url: (await startServer(settings, onFinished)).url };
  });

  it('a revoked key, and the keys of a deleted account, are soon refused', async () => {
    const { settings, url } = getServer();
    const jane = (await runJson(
      settings,
      ...['accounts', 'create', '--display-name', 'jane-doe'],
    )) as Account;
    const { key_id, api_key } = (await runJson(
      settings,
      ...['keys', 'create', '--account', 'jane-doe'],
    )) as { key_id: string; api_key: string };
    const readName = (key: string) => fetchJson(`${url}/account/get-display-name`, { key });
    const readUntilRefused = (key: string) =>
      eventually(
        () => readName(key),
        ({ status }) => status !== 200,
      );
    const validResponse = { status: 200, body: { display_name: 'jane-doe' } };
    const refusedResponse = { status: 401, body: { error: KEY_REQUIRED } };

    expect(await readName(api_key)).toEqual(validResponse);
    expect(await readName(jane.api_key)).toEqual(validResponse);
    await runJson(settings, 'keys', 'revoke', key_id);
    expect(await readUntilRefused(api_key)).toEqual(refusedResponse);
    expect(await readName(jane.api_key)).toEqual(validResponse);
    await runJson(settings, 'accounts', 'delete', 'jane-doe', '--yes');
    expect(await readUntilRefused(jane.api_key)).toEqual(refusedResponse);
  });

  it('the name of a deleted account with mail stays reserved', async () => {
    const { settings, url } = getServer();
    const create = ['accounts', 'create', '--display-name', 'had-mail'];
    const { api_key: key } = (await runJson(settings, ...create)) as Account;
    const enabled = await fetchJson(`${url}/email-forwarding/email-forwarding-toggle`, {
      key,
      method: 'POST',
      json: { enabled: true, email: 'jane@example.org' },
    });
    expect(enabled.status).toBe(200);
    await runJson(settings, 'accounts', 'delete', 'had-mail', '--yes');
    expect(await runCommand(settings, ...create)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The display name had-mail is already taken.\n',
    });
  });
});
