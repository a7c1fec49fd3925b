import { createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { startMailServer, waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { makeOperator } from '../support/endpoints.ts';
import { listen } from '../support/listen.ts';
import { fetchJson, startServer, startServerWithAccount } from '../support/server-process.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';

const EMAIL = 'ada-nowak@example.com';
const APPROVE = 'members/approve-members';

it('an application survives a killed server at each step, and nothing happens twice', async () => {
  const mailServer = await startMailServer();
  onTestFinished(mailServer.close);
  const silent = createServer((socket) => socket.resume());
  const { port } = await listen(silent);
  onTestFinished(async () => void silent.close());
  const settings = { PUBLIC_URL: 'https://names.example.org', REGISTRATION: 'approval' };
  const [mute, speaking] = [`smtp://127.0.0.1:${port}`, mailServer.url];
  const first = await startServerWithAccount({ ...settings, SMTP_URL: mute });
  const { db, key, DATABASE_URL } = first;
  await makeOperator(first, first);
  let { server, url } = first;
  /** Kills the server, whose mail did not get away, and starts another one. */
  const killAndStart = async (SMTP_URL: string) => {
    server.signal('SIGKILL');
    await server.exited;
    // The killed server last gave a sign of life long ago.
    await sql`UPDATE pgboss.job SET started_on = now() - interval '2 minutes',
      heartbeat_on = now() - interval '2 minutes' WHERE state = 'active'`.execute(db);
    const next = await startServer({ ...settings, DATABASE_URL, SMTP_URL }, onTestFinished);
    [server, url] = [next, next.url];
  };
  const post = (path: string, json: object) =>
    fetchJson(`${url}/owner/${path}`, {
      ...(path === APPROVE ? { key } : { headers: SAME_ORIGIN_HEADERS }),
      method: 'POST',
      json,
    });
  /** Kills the server after the request, then reads the link of the only mail with this text. */
  const requestAndReadMail = async (path: string, json: object, text: string) => {
    expect(await post(path, json)).toMatchObject({ status: 200 });
    await killAndStart(speaking);
    await waitUntilMailsSent(db);
    const mails = mailServer
      .mailsTo(EMAIL)
      .map(({ source }) => source.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      .filter((source) => source.includes(text));
    expect(mails).toHaveLength(1);
    await killAndStart(mute);
    return /dashboard\/\w+#([\w-]{43})/.exec(mails[0]!)![1]!;
  };
  const display_name = 'ada-nowak';
  const registration_url = await requestAndReadMail(
    'account/create-registration',
    { display_name, email: EMAIL, application_text: 'Hello' },
    '/dashboard/application#',
  );
  const confirmation = { registration_url, display_name };
  await requestAndReadMail('account/create-application', confirmation, '/withdrawal#');
  expect(await post('account/create-application', confirmation)).toMatchObject({
    status: 401,
  });
  const { rows } = await sql<{ id: string }>`SELECT id FROM applications`.execute(db);
  const account_ids = rows.map(({ id }) => id);
  const login_url = await requestAndReadMail(APPROVE, { account_ids }, 'You are in');
  expect(await post(APPROVE, { account_ids })).toMatchObject({
    body: { results: [{ result: 'alreadyDecided' }] },
  });
  expect(await post('sessions/create-session', { login_url })).toMatchObject({ status: 200 });
  const accounts = await sql`SELECT FROM accounts JOIN display_names ON account_id = id
    WHERE name = ${display_name} AND suspended_at IS NULL`.execute(db);
  expect(accounts.rows).toHaveLength(1);
}, 120_000);
