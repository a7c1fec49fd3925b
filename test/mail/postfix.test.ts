import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { findInstance, saveInstance } from '#db/queries/instance.ts';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import { loginMail } from '#server/features/sessions/login-mail.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { mailServerFromSettings } from '#server/platform/mail/settings.ts';
import { createSmtpClient } from '#server/platform/mail/smtp-client.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { createOperator, makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { setSuspended } from '../support/suspend.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { type Postfix, startPostfix } from './postfix.ts';
import { sendMail } from './smtp.ts';

const run = promisify(execFile);
const ROLE_SCRIPT = fileURLToPath(new URL('../../deploy/postfix/role.sql', import.meta.url));
const DOMAIN = 'nameplate.example';
const password = randomBytes(12).toString('hex');
let server: TestApp;
let postfix: Postfix;
let readerUrl: URL;

beforeAll(async () => {
  const database = await openTestDatabase();
  const url = new URL(database.url);
  await run('psql', [url.href, '-f', ROLE_SCRIPT], {
    env: { ...process.env, POSTFIX_PASSWORD: password },
  });
  readerUrl = new URL(url);
  readerUrl.username = 'nameplate_postfix';
  readerUrl.password = password;

  const config = loadConfig({ EMAIL_FORWARDING_PROVIDER: 'postfix', DATABASE_URL: url.href });
  const forwarding = await createForwarding({
    config,
    db: database.db,
    jobs: new JobQueue({ url: url.href, logger: { warn: () => {} } }),
    logger: { warn: () => {} },
  });
  await forwarding.addMissingJobs();
  server = await startTestApp(
    { forwarding, NAME_QUARANTINE_DAYS: 0, MAIL_DOMAIN: DOMAIN },
    database,
  );
  postfix = await startPostfix({ host: url.host, name: url.pathname.slice(1), password }, [
    'jane',
    'bruno',
    'switch',
    'greeted',
    'erik',
    'anna',
    'carl',
    'dora',
  ]);
});
afterAll(async () => {
  await postfix?.stop();
  await server?.close();
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`DROP DATABASE ${readerUrl.pathname.slice(1)}`);
  await client.query('DROP ROLE nameplate_postfix');
  await client.end();
});

/** Sends a message and waits until Postfix has processed it. */
async function sendAndWait(to: string, attachment = ''): Promise<{ reply: string; text: string }> {
  const text = `message ${randomBytes(8).toString('hex')}`;
  const reply = await sendMail(postfix.port, to, attachment + text);
  await eventually(postfix.isIdle, Boolean);
  return { reply, text };
}

async function hasReceived(user: string, text: string): Promise<boolean> {
  return (await postfix.readMailbox(user)).some((message) => message.includes(text));
}

async function createAccountWithName(name: string): Promise<TestAccount> {
  const account = await server.createNamedAccount(name);
  return account;
}

function setForwarding({ client }: TestAccount, enabled: boolean, email?: string) {
  return client.emailForwarding.emailForwardingToggle({ enabled, ...(email && { email }) });
}

it('Postfix delivers mail for display names to the mailbox that they share, regardless of the case of the address', async () => {
  for (const name of ['jane-doe', 'john-doe'])
    await setForwarding(await createAccountWithName(name), true, 'jane@mailbox.example.com');
  for (const to of [`jane-doe@${DOMAIN}`, `Jane-Doe@Nameplate.EXAMPLE`, `john-doe@${DOMAIN}`]) {
    const { reply, text } = await sendAndWait(to);
    expect(reply).toMatch(/^250 /);
    expect(await hasReceived('jane', text)).toBe(true);
  }
});

it('Postfix delivers mail for a name with a tag to the mailbox without it', async () => {
  const account = await createAccountWithName('tagged');
  await setForwarding(account, true, 'jane@mailbox.example.com');
  const { text } = await sendAndWait(`tagged+news@${DOMAIN}`);
  const mails = await postfix.readMailbox('jane');
  const mail = mails.find((message) => message.includes(text));
  expect(mail).toMatch(/^Delivered-To: jane@mailbox\.example\.com$/m);
});

it('Postfix takes a message with an attachment of 30 MB', async () => {
  await setForwarding(await createAccountWithName('large'), true, 'jane@mailbox.example.com');
  const { reply } = await sendAndWait(`large@${DOMAIN}`, `${'x'.repeat(70)}\r\n`.repeat(570_000));
  expect(reply).toMatch(/^250 /);
});

it('Postfix rewrites the sender of forwarded mail, and takes bounces to it', async () => {
  await setForwarding(await createAccountWithName('bruno'), true, 'bruno@mailbox.example.com');
  await sendAndWait(`bruno@${DOMAIN}`);
  const [mail] = await postfix.readMailbox('bruno');
  const sender = /^Return-Path: <(SRS0=\S+=sender\.example=sender@nameplate\.example)>$/m.exec(
    mail!,
  );
  expect(await sendAndWait(sender![1]!)).toMatchObject({ reply: expect.stringMatching(/^250 /) });
});

it('Postfix refuses mail for a name that does not exist or is not forwarded', async () => {
  await createAccountWithName('quiet');
  for (const name of ['nobody', 'quiet', "x' OR name = 'jane-doe", '*', ''])
    expect((await sendAndWait(`${JSON.stringify(name)}@${DOMAIN}`)).reply).toMatch(/^550 5\.1\.1 /);
});

it('Postfix does not look up names of another domain', async () => {
  expect((await sendAndWait('jane-doe@other.example')).reply).toMatch(/^[45]54 /);
});

it('Postfix stops delivery when forwarding is turned off, and resumes when it is turned on', async () => {
  const account = await createAccountWithName('switch');
  await setForwarding(account, true, 'switch@mailbox.example.com');
  const first = await sendAndWait(`switch@${DOMAIN}`);
  expect(await hasReceived('switch', first.text)).toBe(true);
  await setForwarding(account, false);
  expect((await sendAndWait(`switch@${DOMAIN}`)).reply).toMatch(/^550 5\.1\.1 /);
  await setForwarding(account, true);
  const lastMail = await sendAndWait(`switch@${DOMAIN}`);
  expect(await hasReceived('switch', lastMail.text)).toBe(true);
  expect(await postfix.readMailbox('switch')).toHaveLength(2);
});

it('Postfix delivers mail for a group address to each of its readers, as long as they read it', async () => {
  const [operator, anna, carl] = [
    await createAccountWithName('nora'),
    await createAccountWithName('anna'),
    await createAccountWithName('carl'),
  ];
  await makeOperator(server, operator);
  await setForwarding(anna, true, 'anna@mailbox.example.com');
  await setForwarding(carl, true, 'carl@mailbox.example.com');
  const recipients = [{ account_id: anna.id }, { account_id: carl.id }];
  for (const name of ['board', 'postmaster', 'abuse'])
    await operator.owner.addresses.createAddress({ name, recipients });
  const received = async ({ text }: { text: string }) =>
    Promise.all(['anna', 'carl'].map((user) => hasReceived(user, text)));
  for (const name of ['board', 'postmaster', 'abuse'])
    expect(await received(await sendAndWait(`${name}@${DOMAIN}`))).toEqual([true, true]);
  await setSuspended(server, 'carl');
  expect(await received(await sendAndWait(`Board@${DOMAIN}`))).toEqual([true, false]);
  await setSuspended(server, 'anna');
  expect((await sendAndWait(`board@${DOMAIN}`)).reply).toMatch(/^550 5\.1\.1 /);
});

it('a login is not skipped where the mail server offers none', async () => {
  const SMTP_URL = `smtp://office:secret@127.0.0.1:${postfix.port}`;
  const settings = { MAIL_DOMAIN: DOMAIN, SMTP_URL };
  const client = createSmtpClient(mailServerFromSettings(settings)!, settings);
  await expect(client.verify()).rejects.toMatchObject({ code: 'EAUTH 503' });
});

it('Postfix takes a message to members, and the one that it refuses is listed', async () => {
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${postfix.port}`,
    PUBLIC_URL: 'https://names.example.org',
  };
  const sender = await startForwardingApp({ settings });
  const operator = await createOperator(sender, 'nora');
  await inTransaction(sender.db, (trx) => saveInstance(trx, { contact: 'board@club.example' }));
  for (const [name, email] of [
    ['dora', 'dora@mailbox.example.com'],
    ['emil', 'emil@elsewhere.example'],
  ] as const)
    await sender.sql`UPDATE forwarding_settings SET login_email = ${email}
      WHERE account_id = ${(await sender.createNamedAccount(name)).id}`;
  const { messages } = operator.owner;
  const input = { audience: 'all', subject: 'Work party', text: 'At ten.' } as const;
  const { message } = await messages.createMessage(input);
  const query = { message_id: message.id };
  const { recipients } = await eventually(
    () => messages.listMessageRecipients(query),
    ({ recipients: rows }) => rows.every(({ state }) => state !== 'waiting'),
  );
  expect(recipients).toMatchObject([
    { display_name: 'emil', state: 'failed', error: 'EENVELOPE 554' },
    { display_name: 'dora', state: 'sent' },
    { display_name: 'nora', state: 'unreachable' },
  ]);
  await eventually(postfix.isIdle, Boolean);
  const [mail] = await postfix.readMailbox('dora');
  expect(mail).toMatch(/^List-Unsubscribe:\s+<https:\/\/names\.example\.org\/unsubscribe\//m);
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  await sender.close();
});

it('SpamAssassin finds nothing in the HTML of a mail with plate and buttons', async () => {
  const settings = { MAIL_DOMAIN: DOMAIN, SMTP_URL: `smtp://127.0.0.1:${postfix.port}` };
  const link = 'https://names.example.org/confirm/token';
  const [address, t] = ['erik@mailbox.example.com', translatorFor('en')];
  const links = ['jane', 'jane-doe'].map((name) => ({ name, link }));
  const instance = await findInstance(server.db);
  const publicUrl = 'https://names.example.org';
  const mail = writeMail(
    loginMail,
    {
      ...{ accountId: 'id', name: 'jane', address, mailDomain: DOMAIN },
      ...{ links, others: [], suspended: [], language: 'en', requestedAt: '' },
    },
    { publicUrl, instance: { ...instance, name: 'Club' }, t },
  );
  const client = createSmtpClient(mailServerFromSettings(settings)!, settings);
  await client.send(composeMail(mail, instance, t, publicUrl));
  await eventually(postfix.isIdle, Boolean);
  const [received] = await postfix.readMailbox('erik');
  const check = run('spamassassin', ['--local', '--test-mode']);
  check.child.stdin!.end(received);
  const { stdout } = await check;
  const rules = [...stdout.matchAll(/^ ?(?!-?0\.0)\d+\.\d (HTML_\w+|MIME_\w+)/gm)];
  expect(stdout).toContain('HTML_MESSAGE');
  expect(rules.map(([, name]) => name)).toEqual([]);
});

it('a strict mail server accepts the greeting of a machine whose name has no dot, and a refused one is told apart', async () => {
  const send = (setting: object, query = '') => {
    const SMTP_URL = `smtp://127.0.0.1:${postfix.port}${query}`;
    const settings = { MAIL_DOMAIN: DOMAIN, ...setting, SMTP_URL };
    const mail = { to: 'greeted@mailbox.example.com', subject: 'Hello', text: 'Hello' };
    return createSmtpClient(mailServerFromSettings(settings)!, settings).send(mail);
  };
  await send({ PUBLIC_URL: 'https://names.example.org' });
  await send({ PUBLIC_URL: 'http://127.0.0.1:3000' });
  await send({}, '?name=chosen.example.org');
  await expect(send({}, '?name=machine')).rejects.toMatchObject({
    ...{ code: 'EHELO 504', isPermanent: false },
  });
  await eventually(postfix.isIdle, Boolean);
  const greetings = (await postfix.readMailbox('greeted')).map(
    (mail) => /^Received: from (\S+)/m.exec(mail)?.[1],
  );
  const machine = hostname().includes('.') ? hostname() : undefined;
  const names = [machine ?? 'names.example.org', machine ?? DOMAIN, 'chosen.example.org'];
  expect(greetings.toSorted()).toEqual(names.toSorted());
});

it("the mail server's role needs a password that the operator chose", async () => {
  const url = new URL(readerUrl);
  url.username = url.password = 'postgres';
  await expect(run('psql', [url.href, '-f', ROLE_SCRIPT])).rejects.toThrow('syntax error');
});

it("the mail server's role can read the aliases, and cannot write", async () => {
  const client = new pg.Client({ connectionString: readerUrl.href });
  await client.connect();
  const { rows } = await client.query("SELECT * FROM postfix_aliases WHERE name = 'jane-doe'");
  expect(rows).toEqual([{ name: 'jane-doe', destination: 'jane@mailbox.example.com' }]);
  const update = "UPDATE forwarding_settings SET forwarding_email = 'x'";
  await expect(client.query(update)).rejects.toMatchObject({ code: '25006' });
  await client.end();
});
