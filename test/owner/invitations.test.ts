import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createInvitation } from '#server/features/invitations/invitation.ts';
import { createToken } from '#server/platform/secrets/token.ts';
import { runCommand, runJson } from '../cli/support/command-line.ts';
import { call, type TestResponse } from '../support/call.ts';
import { cookieHeader, SAME_ORIGIN_HEADERS } from '../support/session.ts';
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
  return call(server.app, { method: 'POST', path, json, headers });
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
    const created = await call(server.app, { method: 'POST', path, json: {}, headers });
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

  it('is not used up by an unavailable display name', async () => {
    const invitation = await createInvitationToken();
    await acceptInvitation({
      invitation: await createInvitationToken(),
      display_name: 'taken-name',
    });
    const before = await countAccounts();
    for (const [display_name, status] of [
      ['taken-name', 409],
      ['admin', 409],
      ['x', 400],
      ['José', 400],
    ])
      expect((await acceptInvitation({ invitation, display_name })).status).toBe(status);
    expect(await countAccounts()).toBe(before);
    expect((await acceptInvitation({ invitation, display_name: 'free-name' })).status).toBe(200);
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

  it('is accepted only from the same origin', async () => {
    const invitation = await createInvitationToken();
    expect(
      (await acceptInvitation({ invitation }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    expect((await acceptInvitation({ invitation }, {})).status).toBe(403);
    expect((await acceptInvitation({ invitation })).status).toBe(200);
  });

  it('is refused but not used up while registration is closed', async () => {
    const closedServer = await startTestApp(
      { REGISTRATION: 'closed' },
      { ...server.database, close: async () => {} },
    );
    const invitation = await createInvitationToken();
    const path = '/owner/invitations/accept-invitation';
    const json = { invitation };
    expect(
      await call(closedServer.app, { method: 'POST', path, json, headers: SAME_ORIGIN_HEADERS }),
    ).toMatchObject({
      status: 403,
      body: { error: 'Registration is closed on this server.' },
    });
    await closedServer.close();
    expect((await acceptInvitation({ invitation })).status).toBe(200);
  });

  it('is printed by the CLI, which logs the creation without the link', async () => {
    const settings = {
      DATABASE_URL: server.database.url,
      PUBLIC_URL: 'https://names.example.org',
    };
    const invitation = (await runJson(settings, 'invite', '--days', '30')) as Record<
      string,
      string
    >;
    expect(invitation).toEqual({
      invitation_link: expect.stringMatching(
        /^https:\/\/names\.example\.org\/dashboard\/invitation#[\w-]{43}$/,
      ),
      expires_at: expect.any(String),
    });
    const days = (Date.parse(invitation['expires_at']!) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    const token = invitation['invitation_link']!.split('#')[1]!;
    const { rows } = await sql<{ row: string }>`
      SELECT audit_log::text AS row FROM audit_log WHERE action = 'invite'
      UNION ALL SELECT invitations::text FROM invitations`.execute(server.database.db);
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain(token);
    expect((await acceptInvitation({ invitation: token })).status).toBe(200);
    const { code, stderr } = await runCommand(settings, 'invite', '--days', '0');
    expect(code).toBe(2);
    expect(stderr).toContain('The number of days is a whole number from 1 to 365.');
  });
});
