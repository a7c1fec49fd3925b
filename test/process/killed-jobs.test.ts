import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startMailServer, waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import {
  createTempFolder,
  fetchJson,
  startServer,
  startServerWithAccount,
} from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { useShared } from '../support/use-shared.ts';

const OLD_BACKUP = 'nameplate-2026-01-31.zip';
/** More than a server mails at once. */
const GUESTS = Array.from({ length: 20 }, (_, index) => `guest-${index + 10}@example.com`);
const MAIL = { language: 'de', sentence: 'Bis zum Winterfest!' };

/** Kills a server during a backup and mails, and right after it has made a second operator. */
const killed = useShared(async (onFinished) => {
  const BACKUP_DIR = await createTempFolder(onFinished);
  await writeFile(join(BACKUP_DIR, OLD_BACKUP), '');
  const mailServer = await startMailServer();
  onFinished(mailServer.close);
  const silentServer = createServer((socket) => socket.resume());
  const { port } = await listen(silentServer);
  onFinished(async () => void silentServer.close());
  const isConnected = once(silentServer, 'connection');
  const settings = { BACKUP_DIR, PUBLIC_URL: 'https://names.example.org' };
  const first = await startServerWithAccount(
    { ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` },
    onFinished,
  );
  const { server, db, DATABASE_URL, key, id } = first;
  await makeOperator(first, first);
  const { id: account_id } = await insertTestAccount(db);
  await sql`UPDATE forwarding_settings SET login_email = account_id || '@example.com'`.execute(db);
  const post = async (path: string, json: object) => {
    const response = await fetchJson(`${first.url}${path}`, { key, method: 'POST', json });
    expect(response).toMatchObject({ status: 200 });
  };
  await db.transaction().execute(async (trx) => {
    // A backup reads the sequences last.
    await sql`ALTER SEQUENCE metric_deletions_id_seq INCREMENT 1`.execute(trx);
    await post('/owner/server/create-backup', {});
    await waitForBlockedQuery(db);
    await post('/account/update-display-name', { display_name: 'nora' });
    const csv = ['email', ...GUESTS].join('\n');
    await post('/owner/invitations/create-invitations', { csv, mail: true, ...MAIL });
    await post('/account/update-display-name', { display_name: 'ida' });
    await isConnected;
    await post('/owner/members/update-member-role', { account_id, operator: true });
    server.signal('SIGKILL');
    await server.exited;
  });
  const leftFiles = (await readdir(BACKUP_DIR)).toSorted();
  // The killed server last gave a sign of life long ago.
  await sql`UPDATE pgboss.job SET started_on = now() - interval '2 minutes',
    heartbeat_on = now() - interval '2 minutes' WHERE state = 'active'`.execute(db);
  const { url } = await startServer(
    { ...settings, DATABASE_URL, SMTP_URL: mailServer.url },
    onFinished,
  );
  const get = async (path: string) => (await fetchJson(`${url}/owner/${path}`, { key })).body;
  return { BACKUP_DIR, leftFiles, db, get, mailServer, operators: [id, account_id] };
});

it('a backup is made again after its server was killed, and its draft never counts', async () => {
  const { BACKUP_DIR, leftFiles, db, get } = killed();
  const readBackups = async () =>
    (
      (await get('server/get-server')) as {
        backups: { is_running: boolean; files: { name: string }[] };
      }
    ).backups;
  const draft = expect.stringMatching(/\.nameplate-partial$/) as string;
  expect(leftFiles).toEqual([OLD_BACKUP, draft]);
  expect((await readBackups()).files).toMatchObject([{ name: OLD_BACKUP }]);
  // The second attempt is due in 10 to 20 minutes, and the operator can start one until then.
  await eventually(readBackups, ({ is_running }) => !is_running, 60_000);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'backup'`.execute(db);
  await eventually(readBackups, ({ files, is_running }) => files.length === 2 && !is_running);
  expect((await readdir(BACKUP_DIR)).toSorted()).toEqual([
    OLD_BACKUP,
    expect.stringMatching(/^nameplate-[\d-]+\.zip$/),
  ]);
});

it('every invited person gets one mail with what was stored', async () => {
  const { db, mailServer } = killed();
  await waitUntilMailsSent(db);
  const mails = mailServer.received.filter(({ source }) => source.includes(MAIL.sentence));
  expect(mails.map(({ to: [address] }) => address).toSorted()).toEqual(GUESTS);
  for (const { source } of mails)
    expect(source).toMatch(/^Subject: =\?UTF-8\?Q\?nora_l=C3=A4dt_dich_als_=40guest/m);
});

it('a new operator stays one, and all operators get one mail about it', async () => {
  const { db, get, mailServer, operators } = killed();
  await waitUntilMailsSent(db);
  expect(await get(`members/get-member?account_id=${operators[1]}`)).toMatchObject({
    member: { operator: true },
  });
  const mails = mailServer.received.filter(({ source }) => source.includes(`ida made `));
  expect(mails.map(({ to: [address] }) => address).toSorted()).toEqual(
    operators.map((id) => `${id}@example.com`).toSorted(),
  );
  const own = mails.filter(({ source }) => source.includes('Subject: You are now an operator'));
  expect(own.map(({ to: [address] }) => address)).toEqual([`${operators[1]}@example.com`]);
});
