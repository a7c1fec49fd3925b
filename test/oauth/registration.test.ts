import { type LookupAddress, lookup } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { findClient, insertClient } from '#db/queries/oauth-clients.ts';
import { ClientDocuments } from '#server/features/oauth/client-documents.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { useServer } from '../support/use-server.ts';
import { ISSUER } from './support/oauth-browser.ts';
import { SdkClient } from './support/sdk-client.ts';
import { useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { createMember, server } = fixture;

const REDIRECT = 'http://localhost:5678/callback';

const register = async (metadata: unknown, headers: Record<string, string> = {}) => {
  const response = await fixture.fetch(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};

it.each([
  'https://claude.ai/api/mcp/auth_callback',
  'http://127.0.0.1:33418/',
  'http://[::1]:8080/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/oauth2redirect',
])('an app with the address %s registers as today', async (uri) => {
  const { status, body, headers } = await register({
    client_name: 'Cursor',
    redirect_uris: [uri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'read',
    token_endpoint_auth_method: 'none',
    software_id: 'x',
    logo_uri: 'https://evil.example/logo.png',
    backchannel_logout_uri: 'http://127.0.0.1/logout',
  });
  expect(status).toBe(201);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(body).toMatchObject({
    client_name: 'Cursor',
    redirect_uris: [uri],
    token_endpoint_auth_method: 'none',
  });
  expect(body).not.toHaveProperty('client_secret');
  // Nothing that the server would show or call.
  expect(JSON.stringify(await findClient(server.db, String(body['client_id'])))).not.toMatch(
    /logo\.png|127\.0\.0\.1\/logout/,
  );
});

it.each([
  'http://evil.example/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'web+evil://claude.ai/callback',
  'search-ms:query',
  'https://app.example/callback#x',
  'https://user@app.example/callback',
  'https://app.example/a b',
  'not a url',
  'https://app.example/\u0000',
  'https://app.example/\u0085',
  '',
  7,
])('an app with the address %j is refused', async (uri) => {
  const { status, body } = await register({ redirect_uris: [REDIRECT, uri] });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'invalid_redirect_uri' });
});

it.each(['', '[]', 'null', '{}', '{"redirect_uris":{}}', '{"redirect_uris":[]}', 'x'.repeat(100)])(
  'the metadata %j are refused',
  async (text) => {
    expect((await register(text)).status).toBe(400);
  },
);

it.each([
  'Nameplate',
  'Official client',
  'Verified by your club',
  'ｖｅｒｉｆｉｅｄ',
  'N a m e p l a t e',
  'Claude, checked by this server',
])('the name %s is refused, because this server did not check it', async (client_name) => {
  const { body } = await register({ client_name, redirect_uris: [REDIRECT] });
  expect(body).toMatchObject({ error: 'invalid_client_metadata' });
});

it.each([
  ['Chat', 'ChatGPT', 201],
  ['Chat', 'Chat!', 400],
  ['Segelclub Förde', 'App of the segelclub förde', 400],
])('on the server %s, the name %s gets %d', async (name, client_name, status) => {
  const setName = async (text: string | null) => {
    const row = await inTransaction(server.db, (trx) => saveInstance(trx, { name: text }));
    await server.nameplate.instanceStore.set(row);
  };
  onTestFinished(() => setName(null));
  await setName(name);
  const response = await register({ client_name, redirect_uris: [REDIRECT] });
  expect(response.status).toBe(status);
});

it('a name can neither be markup nor turn the text around', async () => {
  const { body } = await register({
    client_name: '<b>x</b>\u202e”“elbat"surt\n\n',
    redirect_uris: [REDIRECT],
  });
  expect(body['client_name']).toBe('<b>x</b> elbatsurt');
  const { browser } = await createMember();
  const url = `${ISSUER}/oauth/authorize?${new URLSearchParams({ client_id: String(body['client_id']), redirect_uri: REDIRECT, response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }).toString()}`;
  expect((await browser.visit(url)).text).toContain('&lt;b&gt;x&lt;/b&gt;');
});

it.each(['com.example.app://claude.ai/callback', 'cursor://claude.ai/callback'])(
  'an app that answers to %s is not named by the host in it',
  async (uri) => {
    const { body } = await register({ redirect_uris: [uri] });
    const { browser } = await createMember();
    const url = `${ISSUER}/oauth/authorize?${new URLSearchParams({ client_id: String(body['client_id']), redirect_uri: uri, response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }).toString()}`;
    const { text } = await browser.visit(url);
    const scheme = uri.split('//')[0];
    expect(text).toContain(`Connect an app on this device (${scheme})?`);
    expect(text).not.toContain('claude.ai');
  },
);

it.each([
  ['https://app.example/callback', 'code', '?'],
  ['cursor://app.example/callback', 'code', '?'],
  ['https://app.example/callback', 'token', '#'],
  ['cursor://app.example/callback', 'token', '#'],
])(
  'an error does not lead to %s of an app that registered itself without a click (%s)',
  async (uri, response_type, separator) => {
    const { body } = await register({ redirect_uris: [uri] });
    const { browser } = await createMember();
    const query = new URLSearchParams({
      client_id: String(body['client_id']),
      redirect_uri: uri,
      response_type,
    });
    const page = await browser.visit(`${ISSUER}/oauth/authorize?${query.toString()}`);
    expect(page).toMatchObject({ status: 400 });
    expect(page.headers).not.toHaveProperty('refresh');
    expect(page.text).toContain('invalid_request');
    expect(page.text).toContain(`href="${uri}${separator}error=`);
  },
);

it('an app that wants a secret gets one', async () => {
  const { body } = await register({
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'client_secret_post',
  });
  expect(body['client_secret']).toMatch(/^[\w-]{43}$/);
  const request = (client_secret: string) =>
    fixture.fetch(`${ISSUER}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: String(body['client_id']),
        client_secret,
        grant_type: 'refresh_token',
        refresh_token: 'x',
      }),
    });
  expect(await (await request('wrong')).json()).toMatchObject({ error: 'invalid_client' });
  expect(await (await request(String(body['client_secret']))).json()).toMatchObject({
    error: 'invalid_grant',
  });
});

it('an app learns that it was forgotten, before it opens a browser', async () => {
  const { body } = await register({ redirect_uris: [REDIRECT] });
  const ask = async (id: unknown) => {
    const url = `${ISSUER}/oauth/authorize?client_id=${String(id)}`;
    const response = await fixture.fetch(url, { headers: { accept: 'application/json' } });
    return { status: response.status, text: await response.text() };
  };
  expect((await ask(body['client_id'])).status).toBe(200);
  const { status, text } = await ask('forgotten');
  expect(status).toBe(401);
  expect(JSON.parse(text)).toMatchObject({ error: 'invalid_client' });
});

it('no request chooses for the member: an app that registered itself has no tick, others one', async () => {
  const [uri, scope] = [REDIRECT, 'read page metrics all'];
  const { body } = await register({ redirect_uris: [uri] });
  const program = { kind: 'program', name: 'Assistant' } as const;
  await insertClient(server.db, { id: 'assistant', redirect_uris: [uri], ...program });
  const { browser } = await createMember();
  const listTicks = async (client_id: string) => {
    const query = new URLSearchParams({
      ...{
        client_id,
        redirect_uri: uri,
        response_type: 'code',
        scope,
        nameplate_scope: 'page all',
      },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    const { text } = await browser.visit(`${ISSUER}/oauth/authorize?${query.toString()}`);
    return [...text.matchAll(/name="(\w+)" value="(\w+)"\s*checked/g)].map(([, ...tick]) => tick);
  };
  const read = ['level', 'some'];
  expect(await listTicks(String(body['client_id']))).toEqual([read]);
  expect(await listTicks('assistant')).toEqual([read, ['page', 'on']]);
});

it('registration is no store: the oldest that nobody used goes, and later all of them', async () => {
  await server.sql`INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at)
    SELECT 'old-' || n, 'registered', 'x', '{https://a.example/}', now() - n * interval '1 minute'
    FROM generate_series(1, 1200) AS n`;
  await register({ redirect_uris: [REDIRECT] });
  const count = async () =>
    (
      await server.sql<{
        count: number;
      }>`SELECT count(*)::int FROM oauth_clients WHERE kind = 'registered' AND last_used_at IS NULL`
    )[0]!.count;
  expect(await count()).toBe(1_000);
  const { browser } = await createMember();
  const app = new SdkClient(fixture.fetch);
  await app.allowIn(browser);
  await server.sql`UPDATE oauth_clients SET created_at = now() - interval '25 hours', last_used_at = last_used_at - interval '31 days'`;
  const { deleteExpired } = await import('#db/queries/expired-rows.ts');
  await deleteExpired(server.db, 'oauth_grants');
  await deleteExpired(server.db, 'oauth_clients');
  expect(await count()).toBe(0);
  // It has a refresh token, so it stays.
  app.granted = { ...app.granted!, access_token: 'expired' };
  await app.begin();
  expect(app.granted.access_token).not.toBe('expired');
});

it('an app is shown with the host that gets the answer, before its name, not its first address', async () => {
  const uris = ['https://claude.ai/callback', 'https://evil.example/callback'];
  const { body } = await register({ client_name: 'claude.ai', redirect_uris: uris });
  const { account, browser } = await createMember();
  const query = new URLSearchParams({
    client_id: String(body['client_id']),
    redirect_uri: uris[1]!,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const question = await browser.visit(`${ISSUER}/oauth/authorize?${query.toString()}`);
  expect(question.text).toContain('“claude.ai”');
  expect(question.text.split('claude.ai')[0]).toContain('evil.example');
  await browser.submit(question, { action: 'allow' });
  expect((await account.owner.grants.listGrants()).grants).toMatchObject([
    { client_host: 'evil.example' },
  ]);
});

const preflight = (url: string) =>
  server.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    },
  });

it.each([
  '/oauth/register',
  '/oauth/token',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
])('programs in a browser may ask %s', async (path) => {
  const { statusCode, headers } = await preflight(path);
  expect(statusCode).toBe(204);
  expect(headers['access-control-allow-origin']).toMatch(/^(?:\*|https:\/\/app\.example)$/);
  expect(headers['access-control-allow-headers']).toContain('content-type');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

let site: Awaited<ReturnType<typeof startHttpsServer>>;
let respond: (path: string) => {
  status?: number;
  body: string;
  location?: string;
  /** The body is sent after that. */
  until?: Promise<unknown>;
};
let requests = 0;
beforeAll(async () => {
  site = await startHttpsServer((request, response) => {
    requests += 1;
    const path = request.url!;
    const endless = ENDLESS.get(path.split('?')[0]!);
    if (endless) return endless(response);
    const { status = 200, body, location, until } = respond(path);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location && { location }),
    });
    void Promise.resolve(until).then(() => response.end(body));
  }, '*.apps.example');
});
afterAll(() => site.close());

const resolveTo = (toAddresses: () => string[]) =>
  ((_name, _options, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(
      null,
      toAddresses().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as typeof lookup;

const useDocuments = (options: ConstructorParameters<typeof ClientDocuments>[0] = {}) => {
  server.nameplate.oauth.documents = new ClientDocuments({
    port: site.host.split(':')[1]!,
    ca: site.ca,
    isLoopbackAllowed: () => true,
    lookup: resolveTo(() => ['127.0.0.1']),
    // Tests of other things must not depend on it.
    timeoutMs: 100_000,
    ...options,
  });
};
const urlOf = (path: string, app = 'one') =>
  `https://${app}.apps.example:${site.host.split(':')[1]}${path}`;
const documentOf = (path: string, fields = {}) =>
  JSON.stringify({
    client_id: urlOf(path),
    client_name: 'Claude',
    redirect_uris: [REDIRECT],
    ...fields,
  });

it('the official SDK connects with a metadata document, whose last copy survives an outage', async () => {
  useDocuments();
  respond = (path) => ({ body: documentOf(path) });
  const { account, browser } = await createMember();
  const app = new SdkClient(fixture.fetch, { metadataUrl: urlOf('/client.json'), name: 'Claude' });
  const question = await app.allowIn(browser);
  expect(question.text).toContain('“Claude”');
  expect(app.client).toMatchObject({ client_id: urlOf('/client.json') });
  respond = () => ({ status: 503, body: '' });
  await server.sql`UPDATE oauth_clients SET fetched_at = now() - interval '2 hours'`;
  // As in a new process.
  useDocuments();
  app.granted = { ...app.granted!, access_token: 'expired' };
  await app.begin();
  expect(app.granted.access_token).not.toBe('expired');
  expect((await account.owner.grants.listGrants()).grants).toMatchObject([
    { client_kind: 'document' },
  ]);
});

it('documents are no store either: the oldest that nobody used goes', async () => {
  useDocuments();
  respond = (path) => ({ body: documentOf(path) });
  await server.sql`INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at)
    SELECT 'https://a.example/' || n, 'document', 'x', '{https://a.example/}',
      now() - n * interval '1 minute' FROM generate_series(1, 1100) AS n`;
  const id = urlOf('/newest.json');
  expect(await server.nameplate.oauth.findOrFetchClient(id, 'a')).toMatchObject({ id });
  const unused = await server.sql`SELECT FROM oauth_clients WHERE kind = 'document'
    AND last_used_at IS NULL`;
  expect(unused).toHaveLength(1_000);
  expect(await findClient(server.db, id)).toBeDefined();
});

const visitWith = async (client_id: string) => {
  const { browser } = await createMember();
  const query = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  return browser.visit(`${ISSUER}/oauth/authorize?${query.toString()}`);
};

it.each([
  ['names another client', (path: string) => ({ body: documentOf(`${path}x`) })],
  [
    'redirects',
    (path: string) =>
      path.endsWith('/2')
        ? { body: documentOf(path.slice(0, -2)) }
        : { status: 302, body: '', location: `${path}/2` },
  ],
  ['is too long', (path: string) => ({ body: documentOf(path, { x: 'x'.repeat(6_000) }) })],
  ['is no JSON', () => ({ body: 'x' })],
  [
    'wants a secret',
    (path: string) => ({
      body: documentOf(path, { token_endpoint_auth_method: 'client_secret_post' }),
    }),
  ],
  [
    'takes the name of the server',
    (path: string) => ({ body: documentOf(path, { client_name: 'Nameplate' }) }),
  ],
  [
    'sends the answer over http',
    (path: string) => ({ body: documentOf(path, { redirect_uris: ['http://evil.example/'] }) }),
  ],
])(
  'a metadata document that %s is no client, and is not fetched again for a minute',
  async (title, answer) => {
    useDocuments();
    respond = answer;
    const url = urlOf(`/${encodeURIComponent(title)}.json`);
    expect((await visitWith(url)).text).toContain('invalid_client');
    const before = requests;
    expect((await visitWith(url)).text).toContain('invalid_client');
    expect(requests).toBe(before);
  },
);

it('a network causes 10 fetches in a minute, all together 60, one at a time for each host', async () => {
  useDocuments();
  respond = () => ({ status: 404, body: '' });
  const flood = async (network: string) => {
    const before = requests;
    const ids = Array.from({ length: 20 }, (_, n) => urlOf(`/flood/${network}/${n}`));
    await Promise.all(ids.map((id) => server.nameplate.oauth.findOrFetchClient(id, network)));
    for (const id of ids) await server.nameplate.oauth.findOrFetchClient(id, network);
    return requests - before;
  };
  expect(await flood('a')).toBe(10);
  // The next networks are not locked out by the first one.
  expect(await flood('b')).toBe(10);
  let others = 0;
  for (const network of ['c', 'd', 'e', 'f', 'g', 'h', 'i']) others += await flood(network);
  expect(others).toBeLessThanOrEqual(40);
});

it.each([
  ['the same document', () => urlOf('/overlap.json'), 1],
  ['documents of one host', (n: number) => urlOf(`/overlap/${n}.json`), 3],
])('sign-ins with %s can overlap', async (_title, toUrl, fetches) => {
  useDocuments();
  respond = (path) => ({ body: documentOf(path) });
  const before = requests;
  const ids = [0, 1, 2].map(toUrl);
  const clients = await Promise.all(
    ids.map((id) => server.nameplate.oauth.findOrFetchClient(id, 'a')),
  );
  expect(clients.map((client) => client?.id)).toEqual(ids);
  expect(requests - before).toBe(fetches);
});

it('only the start of a sign-in fetches a document, also if a stored copy is old', async () => {
  useDocuments();
  respond = (path) => ({ body: documentOf(path) });
  const [known, unknown] = [urlOf('/known.json'), urlOf('/unknown.json')];
  await visitWith(known);
  await server.sql`UPDATE oauth_clients SET fetched_at = now() - interval '2 hours'`;
  const before = requests;
  for (const client_id of [known, unknown]) {
    for (const path of ['token', 'revoke', 'introspect']) {
      const response = await fixture.fetch(`${ISSUER}/oauth/${path}`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id,
          grant_type: 'refresh_token',
          refresh_token: 'x',
          token: 'x',
        }),
      });
      if (client_id === unknown) {
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ error: 'invalid_client' });
      }
    }
    const query = new URLSearchParams({ client_id, post_logout_redirect_uri: REDIRECT });
    const { browser } = await createMember();
    await browser.submit({ url: `${ISSUER}/oauth/logout?${query.toString()}` }, {});
  }
  expect(requests).toBe(before);
});

it.each(['127.0.0.1', '[::ffff:7f00:1]', 'localhost', '2130706433', '0x7f.1'])(
  'no connection is made to %s for a document',
  async (host) => {
    useDocuments({ isLoopbackAllowed: () => false, lookup });
    const before = site.connections();
    const url = new URL(`https://${host}:${site.host.split(':')[1]}/client.json`).href;
    expect(await server.nameplate.oauth.findOrFetchClient(url, 'a')).toBeUndefined();
    expect(site.connections()).toBe(before);
  },
);

it.each([
  'http://client.example/client.json',
  'https://client.example:8443/client.json',
  'https://client.example/',
  'https://user:pass@client.example/client.json',
  'file:///etc/passwd',
  'https://client.example/client.json#x',
  'https://CLIENT.example/client.json',
  `https://client.example/${'x'.repeat(500)}`,
])('%s is no address of a document', (url) => {
  expect(new ClientDocuments().isDocumentUrl(url)).toBe(false);
});

it('a document is not fetched if its name leads to a private address at the moment of the connection', async () => {
  const answers = [
    ['127.0.0.1'],
    ['10.0.0.1', '::1'],
    ['::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fd00::1', '100.64.0.1'],
  ];
  const ids = answers.map((_addresses, n) => urlOf(`/rebinding/${n}.json`));
  respond = (path) => ({ body: documentOf(path) });
  // The addresses that are checked are those to which it connects: it asks for them once.
  useDocuments({
    isLoopbackAllowed: () => false,
    lookup: resolveTo(() => answers.shift() ?? ['127.0.0.1']),
  });
  const before = requests;
  for (const id of ids)
    expect(await server.nameplate.oauth.findOrFetchClient(id, 'a')).toBeUndefined();
  expect(answers).toEqual([]);
  expect(requests).toBe(before);
  useDocuments();
  expect(await server.nameplate.oauth.findOrFetchClient(ids[0]!, 'a')).toBeDefined();
});

const trickle = (send: () => unknown, { socket }: ServerResponse) => {
  const timer = setInterval(send, 20);
  socket!.on('close', () => clearInterval(timer));
};
/** Nothing of them is a document, and they never end. */
const ENDLESS = new Map<string, (response: ServerResponse) => void>([
  ['/silent', () => {}],
  [
    '/head',
    (response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\n');
      trickle(() => response.socket!.write('x: y\r\n'), response);
    },
  ],
  [
    '/body',
    (response) => {
      response.writeHead(200);
      trickle(() => response.write(' '), response);
    },
  ],
]);

it.each([...ENDLESS.keys()])(
  'a document at %s that never ends costs a limited time',
  async (path) => {
    useDocuments({ timeoutMs: 200 });
    const ids = [path, path, `${path}?2`].map((slowPath) => urlOf(slowPath));
    const found = await Promise.all(
      ids.map((id) => server.nameplate.oauth.findOrFetchClient(id, 'a')),
    );
    expect(found).toEqual(ids.map(() => undefined));
  },
);

it('a document whose turn did not come is no document that failed', async () => {
  useDocuments();
  const [slowEnds, nextWaits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  respond = (path) => ({ body: documentOf(path), until: slowEnds.promise });
  const { db, oauth } = server.nameplate;
  const before = requests;
  const slow = oauth.findOrFetchClient(urlOf('/slow.json'), 'a');
  await eventually(() => requests > before, Boolean);
  const next = urlOf('/next.json');
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      // Runs when what follows the query has run.
      setImmediate(nextWaits.resolve);
      return Promise.resolve(result);
    },
  });
  const waiting = oauth.documents.find(watched, next, { serverName: 'Nameplate', network: 'a' });
  await nextWaits.promise;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 200_000);
  slowEnds.resolve();
  try {
    expect(await slow).toBeDefined();
    expect(await waiting).toBeUndefined();
  } finally {
    clock.mockRestore();
  }
  expect(requests - before).toBe(1);
  expect(await oauth.findOrFetchClient(next, 'a')).toMatchObject({ id: next });
});

it.each([...ENDLESS.keys()])('nobody waits for a document at %s of another host', async (path) => {
  useDocuments();
  respond = (other) => ({ body: documentOf(other) });
  const { oauth } = server.nameplate;
  const before = requests;
  const ids = [path, `${path}?2`, `${path}?3`].map((slowPath) => urlOf(slowPath, 'slow'));
  const slow = Promise.all(ids.map((id) => oauth.findOrFetchClient(id, 'a')));
  await eventually(() => requests > before, Boolean);
  const other = urlOf(`/other${path}.json`);
  expect(await oauth.findOrFetchClient(other, 'a')).toMatchObject({ id: other });
  // One connection to the slow host, and one to the other.
  expect(requests - before).toBe(2);
  await oauth.documents.close();
  expect(await slow).toEqual(ids.map(() => undefined));
});

const limited = useOAuth({
  rateLimitOptions: { requestsPerMinute: 0, oauthRegistrationsPerHour: 2 },
});
it('an address registers so many apps in an hour, and others still can', async () => {
  const send = (remoteAddress: string) =>
    limited.server.app.inject({
      method: 'POST',
      url: '/oauth/register',
      remoteAddress,
      payload: { redirect_uris: [REDIRECT] },
    });
  for (const _ of [1, 2]) expect((await send('192.0.2.1')).statusCode).toBe(201);
  const refused = await send('192.0.2.1');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  expect(refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect((await send('192.0.2.2')).statusCode).toBe(201);
});

const { server: plain } = useServer();
const { server: off } = useServer({ PUBLIC_URL: ISSUER, FEATURES_OFF: ['oauth'] });
it.each([
  '/oauth/authorize',
  '/oauth/jwks',
  '/oauth/logout',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
])('without a public URL or with the feature off, %s does not exist', async (url) => {
  for (const { app } of [plain, off]) {
    const { statusCode } = await app.inject({ url, headers: { accept: 'application/json' } });
    expect(statusCode).toBe(404);
    const response = await app.inject({ method: 'POST', url: '/mcp', payload: {} });
    expect(response.headers['www-authenticate']).toBe('Bearer realm="nameplate"');
  }
});
