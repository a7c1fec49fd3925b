import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { useServer } from '../support/use-server.ts';
import { failure, runCommand, runJson } from './support/command-line.ts';

const KEY_REQUIRED =
  'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.';

interface Account {
  account_id: string;
  display_name: string;
  api_key: string;
}

describe('while a server is running', () => {
  const { server } = useServer();
  let settings: { DATABASE_URL: string };
  beforeAll(() => {
    settings = { DATABASE_URL: server.database.url };
  });

  it('a revoked key, and the keys of a deleted account, are soon refused', async () => {
    const jane = (await runJson(
      settings,
      ...['accounts', 'create', '--display-name', 'jane-doe'],
    )) as Account;
    const { key_id, api_key } = (await runJson(
      settings,
      ...['keys', 'create', '--account', 'jane-doe'],
    )) as { key_id: string; api_key: string };
    const readName = (key: string) => call(server.app, { path: '/account/get-display-name', key });
    const readUntilRefused = (key: string) =>
      eventually(
        () => readName(key),
        ({ status }) => status !== 200,
      );
    const validResponse = { status: 200, body: { display_name: 'jane-doe' } };
    const refusedResponse = { status: 401, body: { error: KEY_REQUIRED } };

    expect(await readName(api_key)).toMatchObject(validResponse);
    expect(await readName(jane.api_key)).toMatchObject(validResponse);
    await runJson(settings, 'keys', 'revoke', key_id);
    expect(await readUntilRefused(api_key)).toMatchObject(refusedResponse);
    expect(await readName(jane.api_key)).toMatchObject(validResponse);
    await runJson(settings, 'accounts', 'delete', 'jane-doe', '--yes');
    expect(await readUntilRefused(jane.api_key)).toMatchObject(refusedResponse);
  });

  it('the name of a deleted account with mail stays reserved', async () => {
    const create = ['accounts', 'create', '--display-name', 'had-mail'];
    const { api_key: key } = (await runJson(settings, ...create)) as Account;
    const enabled = await call(server.app, {
      path: '/email-forwarding/email-forwarding-toggle',
      key,
      method: 'POST',
      json: { enabled: true, email: 'jane@example.org' },
    });
    expect(enabled.status).toBe(200);
    await runJson(settings, 'accounts', 'delete', 'had-mail', '--yes');
    expect(await runCommand(settings, ...create)).toEqual(
      failure('The display name had-mail is already taken.'),
    );
  });
});
