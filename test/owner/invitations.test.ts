import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createInvitation } from '#server/features/invitations/invitation.ts';
import { createToken } from '#server/platform/secrets/token.ts';
import { call, type TestResponse } from '../support/call.ts';
import { cookieHeader, SAME_ORIGIN_HEADERS, postFromPage } from '../support/session.ts';
import { startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

async function createInvitationToken(): Promise<string> {
  const { invitation_link } = await createInvitation(server.database.db, '', { days: 7 });
  return invitation_link.split('#')[1]!;
}

function acceptInvitation(
  json: unknown,
  headers: Record<string, string> = SAME_ORIGIN_HEADERS,
): Promise<TestResponse> {
  const path = '/owner/invitations/accept-invitation';
  return postFromPage(server, path, json, headers);
}

const REFUSED = {
  status: 401,
  body: { error: 'This invitation is no longer valid. Ask for a new one.' },
};

async function countAccounts(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM accounts`.execute(server.database.db);
  return rows[0]!.count;
}

describe('an invitation', () => {
  it('creates an account with its display name and logs in', async () => {
    const response = await acceptInvitation({
      invitation: await createInvitationToken(),
      display_name: 'Jane Doe',
    });
    expect(response).toMatchObject({
      status: 200,
      body: { account_id: expect.any(String), key_id: null, session: { via: 'link' } },
    });
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieHeader(response.headers) };
    expect(await call(server.app, { path: '/account/get-display-name', headers })).toMatchObject({
      status: 200,
      body: { display_name: 'jane-doe' },
    });
    // The account has no API key until its owner creates one.
    const keys = await call(server.app, { path: '/owner/keys/list-keys', headers });
    expect(keys).toMatchObject({ status: 200, body: { keys: [] } });
    const path = '/owner/keys/create-key';
    const created = await postFromPage(server, path, {}, headers);
    expect(created.status).toBe(200);
  });

  it.each([
    ['de-AT,de;q=0.9', [expect.objectContaining({ type: 'page', lang: 'de' })]],
    ['en-US,en;q=0.9', []],
  ])('starts the page in the language of the browser (%s)', async (language, blocks) => {
    const json = { invitation: await createInvitationToken(), display_name: null };
    const browser = { ...SAME_ORIGIN_HEADERS, 'accept-language': language };
    const response = await acceptInvitation(json, browser);
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieHeader(response.headers) };
    const path = '/site/get-site-configuration';
    expect(await call(server.app, { path, headers })).toMatchObject({
      status: 200,
      body: { site: { theme_id: null }, blocks },
    });
  });

  it('creates an account without a display name', async () => {
    const response = await acceptInvitation({ invitation: await createInvitationToken() });
    const headers = { cookie: cookieHeader(response.headers) };
    expect(await call(server.app, { path: '/account/get-display-name', headers })).toMatchObject({
      body: { display_name: '' },
    });
  });

  it('works once, also with concurrent requests', async () => {
    const invitation = await createInvitationToken();
    const before = await countAccounts();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => acceptInvitation({ invitation })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    expect(await acceptInvitation({ invitation })).toMatchObject(REFUSED);
    expect(await countAccounts()).toBe(before + 1);
  });

  it('creates no account if it is expired, unknown or malformed', async () => {
    const before = await countAccounts();
    const oldInvitation = await createInvitationToken();
    await sql`UPDATE invitations SET expires_at = now()`.execute(server.database.db);
    for (const invitation of [oldInvitation, createToken(), 'x', ''])
      expect(await acceptInvitation({ invitation })).toMatchObject(REFUSED);
    for (const json of [{}, { invitation: 1 }, { invitation: 'x'.repeat(101) }])
      expect(await acceptInvitation(json)).toMatchObject({
        status: 400,
        body: { error: 'invitation must be the token of an invitation.' },
      });
    expect(await countAccounts()).toBe(before);
  });

  it('is refused but not used up while registration is closed', async () => {
    const closedServer = await startTestApp(
      { REGISTRATION: 'closed' },
      { ...server.database, close: async () => {} },
    );
    const invitation = await createInvitationToken();
    const path = '/owner/invitations/accept-invitation';
    const json = { invitation };
    expect(await postFromPage(closedServer, path, json)).toMatchObject({
      status: 403,
      body: { error: 'Registration is closed on this server.' },
    });
    await closedServer.close();
    expect((await acceptInvitation({ invitation })).status).toBe(200);
  });
});
