import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { GetServerResponse } from '#client/owner.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { saveLastBackup } from '#db/queries/last-backup.ts';
import { signUpMail } from '#server/features/sign-up/sign-up-mail.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { SMTP_PASSWORD, startMailServer } from '../forwarding/mail-server.ts';
import { call } from '../support/call.ts';
import { addReport, createOperator } from '../support/endpoints.ts';
import { errorCode, errorText } from '../support/expected-responses.ts';
import { createPage } from '../support/publish-page.ts';
import { logIn, postFromPage } from '../support/session.ts';
import { startTestApp } from '../support/test-app.ts';

async function startServer(settings: Record<string, string>, options = {}) {
  const server = await startTestApp({
    CUSTOM_DOMAIN_TARGET: undefined,
    MAIL_FROM: undefined,
    SMTP_URL: undefined,
    ...loadConfig(settings),
    ...options,
  });
  onTestFinished(() => server.close());
  const operator = await createOperator(server);
  const headers = await logIn(server, operator.id);
  return {
    server,
    operator,
    headers,
    read: async (language = 'en') => {
      const path = '/owner/server/get-server';
      const inLanguage = { ...headers, 'accept-language': language };
      return (await call(server.app, { path, headers: inLanguage })).body as GetServerResponse;
    },
    mail: (json: object) => postFromPage(server, '/owner/server/send-test-mail', json, headers),
  };
}

const UNREACHABLE = { SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://club.example' };

const codesOf = ({ setup }: GetServerResponse) => setup.map(({ code }) => code);

it('a new server lists what is missing first, with a solution for each', async () => {
  const { read } = await startServer({}, { ENCRYPTION_KEY: undefined });
  const response = await read();
  expect(codesOf(response)).toEqual([
    'operatorAlone',
    'addressMissing',
    'mailMissing',
    'encryptionKeyMissing',
    'backupSet',
    'forwardingOff',
    'domainsOff',
    'signOnOff',
    'instanceUnnamed',
    'legalTextsMissing',
    'membersMissing',
  ]);
  expect(response.setup[0]!.text).toContain('nameplate login on the server');
  for (const { code, level, fix } of response.setup)
    if (level === 'warning' && !['operatorAlone', 'mailMissing'].includes(code))
      expect(fix).not.toBeNull();
});

it('a server that is set up has no warning, until its backup is old and its mail waits', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.close());
  const { server, operator, read } = await startServer(
    {
      PUBLIC_URL: 'https://club.example',
      SMTP_URL: mailServer.url,
      CUSTOM_DOMAIN_TARGET: 'pages.club.example',
      DATABASE_URL: 'postgres://user:secret-password@db.example/nameplate',
      EMAIL_FORWARDING_PROVIDER: 'postfix',
      MAIL_DOMAIN: 'club.example',
    },
    { mailEnabled: true },
  );
  await server.sql`UPDATE forwarding_settings SET login_email = 'op@example.com', email_scope = 'operator'
    WHERE account_id = ${operator.id}`;
  await saveLastBackup(server.db);
  const response = await read();
  expect(codesOf(response)).toEqual([
    'addressSet',
    'mailSet',
    'backupSet',
    'forwardingOn',
    'domainsOn',
    'signOnOff',
    'instanceUnnamed',
    'legalTextsMissing',
    'membersMissing',
  ]);
  expect(response.storage.free_bytes).toBeNull();
  for (const secret of ['secret-password', SMTP_PASSWORD])
    expect(JSON.stringify(response)).not.toContain(secret);
  await server.sql`INSERT INTO last_maintenance VALUES (true, now() - interval '49 hours', 0, 0)`;
  await server.sql`UPDATE last_backup SET finished_at = now() - interval '49 hours'`;
  await inTransaction(server.db, (trx) =>
    server.outbox.enqueue(trx, signUpMail, { signUpId: randomUUID(), language: 'en' }),
  );
  await server.sql`UPDATE pgboss.job SET state = 'retry', output = '{"message": "No reply (ETIMEDOUT)."}'
    WHERE name = 'mail'`;
  const [mailFinding, clockFinding, backupFinding] = (await read()).setup;
  expect(mailFinding).toMatchObject({
    code: 'mailFailing',
    text: '1 mail waits for another attempt. The mail server does not answer. Check server and port, usually 465 or 587. Some hosting companies block outgoing mail.',
  });
  expect([clockFinding?.code, backupFinding?.code]).toEqual(['clockJumped', 'backupOld']);
  await server.sql`UPDATE pgboss.job SET output = '{"message": "No reply (EDNS)."}' WHERE name = 'mail'`;
  expect((await read()).setup[0]?.text).toContain('There is no mail server of this name.');
  expect((await operator.owner.sessions.getSession()).server_failing).toBe('mail');
});

it('the status of the server describes the setup in the language of the account, or else of the browser', async () => {
  const { read, operator, server } = await startServer({});
  expect((await read('de-AT,en;q=0.5')).setup[1]).toMatchObject({
    ...{ title: 'Adresse', fix: 'PUBLIC_URL=https://club.example' },
    text: expect.stringContaining('Sie wird auf dem Server gesetzt'),
  });
  await server.sql`UPDATE accounts SET language = 'en' WHERE id = ${operator.id}`;
  expect((await read('de')).setup[1]?.title).toBe('Address');
});

it('imprint and privacy policy are missing until neither has a gap', async () => {
  const { server, read } = await startServer({});
  for (const [imprint, privacy, text] of [
    ['[your name]', 'Nothing is stored.', 'The imprint is missing or has gaps.'],
    ['Jane Doe', 'We are [your name].', 'The privacy policy is missing or has gaps.'],
    ['Jane Doe', 'Nothing is stored.', undefined],
  ] as const) {
    await inTransaction(server.db, (trx) => saveInstance(trx, { imprint, privacy }));
    const finding = (await read()).setup.find(({ code }) => code === 'legalTextsMissing');
    expect(finding?.text).toBe(text);
  }
});

it('an address without https is a warning, except on this machine', async () => {
  for (const [url, code] of [
    ['http://club.example', 'addressNotHttps'],
    ['http://localhost:3000', 'addressSet'],
  ] as const) {
    const { read } = await startServer({ PUBLIC_URL: url });
    expect(codesOf(await read())).toContain(code);
  }
});

it('the status of the server counts accounts by week, visible pages, sessions and open reports', async () => {
  const { server, read } = await startServer({});
  const { account: member } = await createPage(server);
  await addReport(server, member);
  await server.sql`UPDATE accounts SET created_at = now() - interval '8 days'
    WHERE id = ${member.id}`;
  const old = await server.createAccount();
  await server.sql`UPDATE accounts SET created_at = now() - interval '1 year', suspended_at = now()
    WHERE id = ${old.id}`;
  // Counts are cached, and the use of the member's key is stored within 100 ms.
  await server.nameplate.sessions.close();
  const { accounts, open_reports, last_backup_at, login_email: own_email } = await read();
  expect(accounts).toEqual({
    total: 3,
    suspended: 1,
    named: 1,
    no_page: 2,
    left_group: 0,
    operators: 1,
    unseen: 1,
    visible_pages: 1,
    seen_last_week: 1,
    created_per_week: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
  });
  expect([open_reports, last_backup_at, own_email]).toEqual([1, null, null]);
});

it('the status of the server counts accounts once a minute, and again after a change by an operator', async () => {
  const { server, headers, read } = await startServer({});
  const member = await server.createAccount();
  const countAccounts = async () => {
    const { total, suspended } = (await read()).accounts;
    return [total, suspended];
  };
  expect(await countAccounts()).toEqual([2, 0]);
  await server.createAccount();
  expect(await countAccounts()).toEqual([2, 0]);
  const suspension = { account_id: member.id, reason: 'Spam' };
  await postFromPage(server, '/owner/members/suspend-member', suspension, headers);
  expect(await countAccounts()).toEqual([3, 1]);
});

it('a test mail goes to the own address or a given one, and is in the audit trail', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.close());
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://club.example' };
  const { server, operator, mail } = await startServer(settings);
  expect(await mail({})).toMatchObject(
    errorText(400, 'You have no confirmed address, so enter one.'),
  );
  await server.sql`INSERT INTO forwarding_settings (account_id, login_email)
    VALUES (${operator.id}, 'op@example.com')
    ON CONFLICT (account_id) DO UPDATE SET login_email = excluded.login_email`;
  const sent = { accepted: true, code: null, problem: null };
  expect((await mail({})).body).toEqual({ ...sent, email: 'op@example.com' });
  const email = 'jane@example.com';
  expect((await mail({ email })).body).toEqual({ ...sent, email });
  expect(mailServer.received.flatMap(({ to }) => to)).toEqual(['op@example.com', email]);
  const rows = await server.sql`SELECT action, detail FROM audit_log`;
  expect(rows).toEqual(
    Array.from({ length: 2 }, () => ({
      action: 'server.sendTestMail',
      detail: { result: 'accepted' },
    })),
  );
});

it('a test mail reports the code of a mail server that cannot be used, and the setup shows it', async () => {
  const { mail, read } = await startServer(UNREACHABLE);
  expect((await read()).setup.find(({ code }) => code === 'mailFailing')).toBeDefined();
  const { body } = await mail({ email: 'jane@example.com' });
  expect(body).toMatchObject({
    ...{ accepted: false, code: 'ESOCKET ECONNREFUSED' },
    problem: expect.stringMatching(/^The mail server does not answer/),
  });
  expect((await read()).setup.find(({ code }) => code === 'mailFailing')).toMatchObject({
    text: expect.stringMatching(/^The mail server does not answer/),
    fix: expect.stringContaining('SMTP_URL='),
  });
});

it('a mail server that answers again is no warning, also after a test mail failed, until it stops', async () => {
  const stopped = await startMailServer();
  await stopped.close();
  const settings = { SMTP_URL: stopped.url, PUBLIC_URL: 'https://club.example' };
  const { mail, read } = await startServer(settings);
  expect((await mail({ email: 'jane@example.com' })).body).toMatchObject({ accepted: false });
  expect(codesOf(await read())).toContain('mailFailing');
  const mailServer = await startMailServer(Number(new URL(stopped.url).port));
  onTestFinished(() => mailServer.close());
  expect(codesOf(await read())).toContain('mailSet');
  await mailServer.close();
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
  onTestFinished(() => later.mockRestore());
  expect(codesOf(await read())).toContain('mailFailing');
});

it('a certificate that is not trusted is no outage', async () => {
  const mailServer = await startMailServer(undefined, { secure: true });
  onTestFinished(() => mailServer.close());
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://club.example' };
  const { mail, read } = await startServer(settings);
  const problem = expect.stringMatching(/certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
  expect((await read()).setup[1]).toMatchObject({ code: 'mailFailing', text: problem });
  expect((await mail({ email: 'jane@example.com' })).body).toMatchObject({ problem });
});

it('without a mail server there is no test mail, and with one at most ten an hour', async () => {
  const email = 'jane@example.com';
  const { mail } = await startServer({});
  expect(await mail({ email })).toMatchObject(errorCode(409, 'mailNotSetUp'));
  const limited = await startServer(UNREACHABLE);
  const statuses = new Set<number>();
  // The hour may change in between.
  for (let count = 0; count < 21; count += 1) statuses.add((await limited.mail({ email })).status);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 429]));
});
