import { beforeAll, expect, it } from 'vitest';
import type { MetricPayload } from '#client/index.ts';
import { evaluateDueAlerts } from '#server/features/alerts/evaluate-alerts.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-app.ts';

const { server, mailServer } = await useForwarding();
let account: TestAccount;
let projectId: string;
beforeAll(async () => {
  account = await server.createForwardedAccount('jane-doe', 'jane@example.com');
  projectId = await server.createProject(account);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true`;
});

const findAlertMails = () =>
  mailServer.received.filter(({ source }) => /Subject: (Shop|Test)/.test(source));

async function evaluate(): Promise<void> {
  await server.sql`UPDATE alerts SET evaluated_at = evaluated_at - interval '1 hour'`;
  await evaluateDueAlerts(server.nameplate);
}

const createAlert = (path = ['errors'], project_id = projectId) =>
  send(server, account, 'POST /owner/alerts/create-alert', {
    ...{ project_id, path, aggregate: 'sum', minutes: 5, comparison: 'above', threshold: 1 },
  });

async function fire(id: string, payload: MetricPayload): Promise<void> {
  await account.client.stats.ingestMetrics({ projectId: id, payload });
  await evaluate();
}

it('an alert is mailed once to each connection by email that carries alerts', async () => {
  await account.owner.connections.createConnection({
    ...{ kind: 'email', name: 'Email' },
    event_types: ['alert_firing', 'alert_recovered'],
  });
  await createAlert();
  await fire(projectId, { errors: 3 });
  await evaluate();
  const [mail] = await eventually(findAlertMails, ({ length }) => length === 1);
  expect(mail!.to).toEqual(['jane@example.com']);
  const condition = 'Sum of errors in the last 5 minutes is above 1';
  expect(mail!.source).toContain(`Project: Shop\r\n\r\n${condition}.\r\n\r\nIt is now 3.`);
  expect(mail!.source).toContain(`Subject: Shop: ${condition}\r\n`);
  expect(mail!.source).toMatch(new RegExp(`/dashboard/metrics/${projectId}#[\\da-f-]{36}`));
  expect(mail!.source).toContain(`<h1>${condition}</h1>`);
});

it('an alert is in the language of the account', async () => {
  const setLanguage = (language: 'en' | 'de') =>
    send(server, account, 'POST /owner/account/update-language', { language });
  await setLanguage('de');
  await server.sql`DELETE FROM metrics WHERE project_id = ${projectId}`;
  await evaluate();
  const source = await eventually(
    () => mailServer.received.at(-1)?.source ?? '',
    (latest) => latest.includes('Alarm ansehen'),
  );
  expect(source).toContain('Summe von errors');
  expect(source).not.toContain('Sum of');
  await setLanguage('en');
});

it('an alert mail is ASCII, even if project and field names are not', async () => {
  const id = await server.createProject(account, 'Café 🚲');
  await createAlert(['größe', '大'], id);
  await fire(id, { größe: { 大: 3 } });
  const subject = 'Subject: =?UTF-8?Q?Caf=C3=A9_';
  const findMails = () => mailServer.received.filter(({ source }) => source.includes(subject));
  const [mail] = await eventually(findMails, ({ length }) => length === 1);
  expect(mail!.source).toMatch(/^\p{ASCII}*$/u);
  const texts = mail!.source.match(
    /gr=C3=B6=C3=9Fe.*=E5=A4=A7(?:<\/span>)? in the last 5 minutes/g,
  );
  // Also in the title of the document.
  expect(texts).toHaveLength(3);
  expect(mail!.source.match(/charset=utf-8/g)).toHaveLength(2);
});

it('a project name is quoted and shortened, and mail clients do not turn it into a link', async () => {
  const name = `Your account is closed tonight. Sign in at https://evil.test/keep ${'x'.repeat(100)}`;
  const id = await server.createProject(account, name);
  await createAlert(['evil.test'], id);
  await fire(id, { 'evil.test': 3 });
  const [mail] = await mailServer.waitForMails();
  expect(mail!.source).toContain('automatic message from Nameplate at names.example.org');
  expect(mail!.source).not.toContain('https://evil');
  expect(mail!.source).toContain('evil<span>.</span>test');
  // Not copied with an address.
  expect(mail!.source).not.toMatch(/=E2=80=8B|=EF=B7=90/);
  expect(mail!.source).not.toContain('xxxxxxxxxx');
});
