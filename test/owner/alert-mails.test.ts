import { beforeAll, expect, it } from 'vitest';
import { listAlerts } from '#db/queries/alerts.ts';
import { evaluateAlerts } from '#server/features/alerts/evaluate-alerts.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { send } from '../support/call.ts';
import { errorCode } from '../support/expected-responses.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-app.ts';

const { server, mailServer } = await useForwarding();
let account: TestAccount;
let projectId: string;
beforeAll(async () => {
  account = await server.createForwardedAccount('jane-doe', 'jane@example.com');
  projectId = await server.createProject(account);
});

const setConfirmed = (confirmed: boolean) =>
  server.sql`UPDATE forwarding_settings SET forwarding_confirmed = ${confirmed}
    WHERE account_id = ${account.id}`;

const findAlertMails = () =>
  mailServer.received.filter(({ source }) => /Subject: (Alert|Test)/.test(source));

async function evaluate(): Promise<void> {
  await server.sql`UPDATE alerts SET evaluated_at = evaluated_at - interval '1 hour'`;
  await evaluateAlerts(server.nameplate);
}

const createAlert = (path = ['errors'], project_id = projectId) =>
  send(server, account, 'POST /owner/alerts/create-alert', {
    ...{ project_id, path, aggregate: 'sum', minutes: 5, comparison: 'above', threshold: 1 },
  });

it('an alert is mailed once, and only to the confirmed address', async () => {
  await setConfirmed(false);
  expect(await createAlert()).toMatchObject(errorCode(400, 'alertAddressMissing'));
  await setConfirmed(true);
  const { alert } = (await createAlert()).body as { alert: { id: string } };
  await account.client.stats.ingestMetrics({ projectId, payload: { errors: 3 } });
  await evaluate();
  await evaluate();
  await eventually(findAlertMails, ({ length }) => length === 1);
  const test = await send(server, account, 'POST /owner/alerts/send-test-alert', {
    alert_id: alert.id,
  });
  expect(test.status).toBe(200);
  await eventually(findAlertMails, ({ length }) => length === 2);
  const [first, second] = findAlertMails();
  expect(first!.to).toEqual(['jane@example.com']);
  expect(first!.source).toContain("Subject: Alert for project 'Shop'");
  expect(first!.source).toContain('Sum of errors in the last 5 minutes is above 1. It is 3 now.');
  expect(second!.source).toContain("Subject: Test alert for project 'Shop'");
});

it('an alert is in the language of the account', async () => {
  const setLanguage = (language: 'en' | 'de') =>
    send(server, account, 'POST /owner/account/update-language', { language });
  await setLanguage('de');
  const [{ id: alertId } = { id: '' }] = await listAlerts(server.database.db, account.id);
  await send(server, account, 'POST /owner/alerts/send-test-alert', { alert_id: alertId });
  const source = await eventually(
    () => mailServer.received.at(-1)?.source ?? '',
    (latest) => latest.includes('Alarme ansehen'),
  );
  expect(source).toContain('Summe von errors');
  expect(source).not.toContain('Sum of');
  await setLanguage('en');
});

it('an alert whose address is no longer confirmed waits, and shows why', async () => {
  await setConfirmed(false);
  await server.sql`DELETE FROM metrics WHERE project_id = ${projectId}`;
  await evaluate();
  const readAlert = async () => (await listAlerts(server.database.db, account.id))[0]!;
  expect((await readAlert()).last_error).toEqual({ code: 'notMailed' });
  await setConfirmed(true);
  await evaluate();
  await eventually(findAlertMails, ({ length }) => length === 1);
  expect(findAlertMails()[0]!.source).toContain("Subject: Alert resolved for project 'Shop'");
  expect((await readAlert()).last_error).toBeNull();
});

it('an alert mail is ASCII, even if project and field names are not', async () => {
  await setConfirmed(true);
  const id = await server.createProject(account, 'Café 🚲');
  await createAlert(['größe', '大'], id);
  const payload = { größe: { 大: 3 } };
  await account.client.stats.ingestMetrics({ projectId: id, payload });
  await evaluate();
  // The final `=` is missing, because the fake mail server removes it as a soft line break.
  const subject = 'Subject: =?UTF-8?Q?Alert_for_project_=27Caf=C3=A9_?';
  const findMails = () => mailServer.received.filter(({ source }) => source.includes(subject));
  const [mail] = await eventually(findMails, ({ length }) => length === 1);
  expect(mail!.source).toMatch(/^\p{ASCII}*$/u);
  const texts = mail!.source.match(/Sum of gr=C3=B6=C3=9Fe.*=E5=A4=A7 in the last 5 minutes/g);
  expect(texts).toHaveLength(2);
  expect(mail!.source.match(/charset=utf-8/g)).toHaveLength(2);
});

it('a project name is quoted and shortened, and mail clients do not turn it into a link', async () => {
  await setConfirmed(true);
  const name = `Your account is closed tonight. Sign in at https://evil.test/keep ${'x'.repeat(100)}`;
  const id = await server.createProject(account, name);
  const { alert } = (await createAlert(['evil.test'], id)).body as { alert: { id: string } };
  await send(server, account, 'POST /owner/alerts/send-test-alert', {
    alert_id: alert.id,
  });
  const [mail] = await mailServer.waitForMails();
  expect(mail!.source).toContain('Test_alert_for_project_');
  expect(mail!.source).toContain('automatic message from Nameplate at names.example.org');
  expect(mail!.source).not.toMatch(/https:\/\/evil|evil\.test/);
  expect(mail!.source).not.toContain('xxxxxxxxxx');
});
