import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertPasskey } from '#db/queries/passkeys.ts';
import { startSession } from '#server/features/sessions/start-session.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { cookieHeader, createSession, logIn, SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

interface EndingRequest {
  headers: Record<string, string>;
  path: string;
  body?: object;
}

/** Requests that end the key or the session they were sent with. */
const REQUESTS_THAT_END_ACCESS: Record<string, (account: TestAccount) => Promise<EndingRequest>> = {
  'revoke-key': async ({ headers, key }) => ({
    headers,
    path: '/owner/keys/revoke-key',
    body: { key_id: key.split('.')[0] },
  }),
  'revoke-key of the key that began the session': async ({ key }) => ({
    headers: {
      ...SAME_ORIGIN_HEADERS,
      cookie: cookieHeader((await createSession(server, { api_key: key })).headers),
    },
    path: '/owner/keys/revoke-key',
    body: { key_id: key.split('.')[0] },
  }),
  'end-session': async ({ id }) => ({
    headers: await logIn(server, id),
    path: '/owner/session/end-session',
  }),
  'revoke-session': async ({ id }) => {
    const headers = await logIn(server, id);
    const sessions = await server.database.db
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', id)
      .execute();
    return {
      headers,
      path: '/owner/session/revoke-session',
      body: { session_id: sessions[0]!.id },
    };
  },
  'revoke-all-sessions': async ({ id }) => ({
    headers: await logIn(server, id),
    path: '/owner/session/revoke-all-sessions',
  }),
  'remove-passkey': async ({ id }) => {
    const { db } = server.database;
    const passkeyId = randomUUID();
    await db.transaction().execute((trx) =>
      insertPasskey(trx, {
        id: passkeyId,
        accountId: id,
        publicKey: Uint8Array.of(1),
        counter: 0,
        transports: [],
        scope: 'operator' as const,
        label: null,
      }),
    );
    const session = await inTransaction(db, (trx) =>
      startSession(
        trx,
        { accountId: id, via: 'passkey', passkeyId },
        { userAgent: undefined, language: null, eventLimit: 0, network: '127.0.0.1' },
      ),
    );
    return {
      headers: { ...SAME_ORIGIN_HEADERS, cookie: `nameplate=${session!.token}` },
      path: '/owner/passkeys/remove-passkey',
      body: { passkey_id: passkeyId },
    };
  },
  'delete-account': async ({ id }) => ({
    headers: await logIn(server, id),
    path: '/owner/account/delete-account',
    body: { confirm: id },
  }),
};

function formatRequest(path: string, headers: Record<string, string>, body?: object): string {
  const payload = body ? JSON.stringify(body) : '';
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(body && { 'content-type': 'application/json' }),
    'content-length': String(payload.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`;
}

/** Returns the statuses of a request that ends its own access, and of the next request. */
async function sendTwoRequests(name: string): Promise<number[]> {
  const { port } = server.app.server.address() as AddressInfo;
  const { headers, path, body } = await REQUESTS_THAT_END_ACCESS[name]!(
    await server.createAccount(),
  );
  const lastHeaders = { ...headers, connection: 'close' };
  const responses = await sendRaw(port, formatRequest(path, lastHeaders, body));
  const nextResponse = await sendRaw(
    port,
    formatRequest('/site/toggle-site-visibility', lastHeaders),
  );
  return [...responses, ...nextResponse].map(({ status }) => status);
}

it.each(Object.keys(REQUESTS_THAT_END_ACCESS))(
  'access ended by %s is refused in the next request',
  async (name) => {
    expect(await sendTwoRequests(name)).toEqual([200, 401]);
  },
);
