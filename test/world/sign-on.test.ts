import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { SignOnBrowser } from '../sign-on/support/sign-on-browser.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { startTestApp } from '../support/test-app.ts';

const SCHEMA = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';
const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Starts Debian's Glewlwyd on loopback, until the end of the test. */
async function startGlewlwyd(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-glewlwyd-'));
  const database = new DatabaseSync(join(folder, 'database'));
  database.exec(gunzipSync(await readFile(SCHEMA)).toString());
  database.close();
  const port = await findFreePort();
  const modules = ['user', 'client', 'plugin', 'user_auth_scheme'].map(
    (kind) => `${kind}_module_path = "/usr/lib/glewlwyd/${kind.replace('user_auth_', '')}"`,
  );
  const config = `port = ${port}
bind_address = "127.0.0.1"
external_url = "http://localhost:${port}"
login_url = "login.html"
api_prefix = "api"
log_mode = "console"
log_level = "ERROR"
cookie_secure = 0
session_key = "session"
admin_scope = "g_admin"
profile_scope = "g_profile"
hash_algorithm = "SHA512"
${modules.join('\n')}
database = { type = "sqlite3"; path = "${join(folder, 'database')}"; };
`;
  await writeFile(join(folder, 'glewlwyd.conf'), config);
  const file = `--config-file=${join(folder, 'glewlwyd.conf')}`;
  const child = spawn('/usr/bin/glewlwyd', [file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await exited;
    await rm(folder, { recursive: true });
  });
  const origin = `http://localhost:${port}`;
  await eventually(
    () => fetch(`${origin}/config`).catch(() => undefined),
    (response) => response?.ok === true,
  );
  return origin;
}

/** Logs in to Glewlwyd. Returns a function that sends JSON to its API in that session. */
async function logIn(origin: string, username: string, password: string) {
  const send = async (method: string, path: string, body: object, cookie = '') => {
    const response = await fetch(`${origin}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    return response;
  };
  const response = await send('POST', 'auth', { username, password });
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return {
    cookie: cookie.join('; '),
    send: (method: string, path: string, body: object) => send(method, path, body, cookie.join()),
  };
}

it.each([
  ['that it does not decode', 'client_secret_basic'],
  ['in the body', 'client_secret_post'],
])('a member of Glewlwyd can sign in, with credentials %s', async (_title, method) => {
  const origin = await startGlewlwyd();
  const OIDC_ISSUER = `${origin}/api/oidc`;
  const [OIDC_CLIENT_ID, OIDC_CLIENT_SECRET] = [randomUUID(), randomUUID()];
  const PUBLIC_URL = 'https://names.example.org';
  const admin = await logIn(origin, 'admin', 'password');
  await admin.send('POST', 'mod/plugin/', {
    ...{ module: 'oidc', name: 'oidc', display_name: 'oidc' },
    parameters: {
      ...{ iss: OIDC_ISSUER, 'jwt-type': 'rsa', 'jwt-key-size': '256' },
      ...{ key: KEYS.privateKey, cert: KEYS.publicKey, 'subject-type': 'public' },
      ...{ 'code-duration': 600, 'access-token-duration': 600, 'refresh-token-duration': 600 },
      ...{ 'refresh-token-rolling': true, 'allow-non-oidc': true, 'pkce-allowed': true },
      ...{ 'auth-type-code-enabled': true, 'auth-type-id-token-enabled': true },
      ...{ 'name-claim': 'on-demand', 'email-claim': 'on-demand' },
    },
  });
  await admin.send('POST', 'client/', {
    ...{ client_id: OIDC_CLIENT_ID, password: OIDC_CLIENT_SECRET, name: 'Nameplate' },
    ...{ confidential: true, enabled: true, scope: ['openid'], authorization_type: ['code'] },
    token_endpoint_auth_method: [method],
    redirect_uri: [`${PUBLIC_URL}/dashboard/sign-on/callback`],
  });
  const member = { username: 'jane', password: 'a password', name: 'Jane Doe' };
  await admin.send('POST', 'user/', { ...member, enabled: true, scope: ['openid'] });

  const signOn = createSignOn({
    ...{ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, REGISTRATION: 'open' },
    ...{ OIDC_ALLOWED_DOMAINS: [], OIDC_ALLOWED_GROUPS: [] },
  })!;
  const server = await startTestApp({ signOn, PUBLIC_URL });
  onTestFinished(() => server.close());
  const browser = new SignOnBrowser(server.app);
  const jane = await logIn(origin, member.username, member.password);
  await jane.send('PUT', `auth/grant/${OIDC_CLIENT_ID}`, { scope: 'openid' });
  // The login page of Glewlwyd adds this parameter once the member agreed.
  const url = `${await browser.startSignOn()}&g_continue`;
  const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie: jane.cookie } });
  const callback = new URL(headers.get('location')!);
  expect(callback.origin).toBe(PUBLIC_URL);
  const page = await browser.open(callback.pathname + callback.search);
  expect(page).toMatchObject({ status: 200 });
  expect(await server.sql`SELECT FROM identities`).toHaveLength(1);
  expect(await signOn.provider.check()).toBeUndefined();
});
