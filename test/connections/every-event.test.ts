import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyWebhook } from '#client/webhooks.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { ALL_CARRIED_EVENT_TYPES, DELIVERED_EVENT_TYPES } from '#contract/shared/event-types.ts';
import { WEBHOOK_EVENTS } from '#contract/webhook-events.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { evaluateDueAlerts } from '#server/features/alerts/evaluate-alerts.ts';
import { backupJob } from '#server/features/backups/backup-job.ts';
import { logServerEvent } from '#server/features/events/log-event.ts';
import { ForwardingProviderError } from '#server/features/forwarding/forwarding-provider.ts';
import { DEFAULT_TIMING, reconcile } from '#server/features/forwarding/reconcile.ts';
import { sendWeekSummaries } from '#server/features/week-summaries/week-summary-job.ts';
import { createOperator } from '../support/endpoints.ts';
import { publishPage } from '../support/publish-page.ts';
import { postForm } from '../support/session.ts';
import { connect, runDeliveries, useConnections } from './support/connection-app.ts';

const txtValues: string[] = [];
const { receiver, server } = await useConnections({
  mailEnabled: true,
  PUBLIC_URL: 'https://names.example.org',
  BACKUP_DIR: join(tmpdir(), 'no-folder', 'backups'),
  dns: {
    findTxtValues: () => Promise.resolve(txtValues),
    findAddresses: () => Promise.resolve(['192.0.2.1']),
    findCnames: () => Promise.resolve([]),
  },
});

it('every type of event is an entry in Events, and reaches a receiver signed, with the fields of its schema', async () => {
  const account = await createOperator(server);
  const hook = receiver.addHook();
  const { id, secret } = await connect(account, hook.url, {
    event_types: [...ALL_CARRIED_EVENT_TYPES],
  });
  const owner = account.owner;

  await publishPage(account, 'jane-doe', { blocks: [{ type: 'contact_form', title: 'Write' }] });
  await account.client.emailForwarding.emailForwardingToggle({
    ...{ enabled: true, email: 'jane@example.com' },
  });
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true`;
  const visitor = { remoteAddress: '203.0.113.1' };
  const message = { email: 'ann@example.com', message: 'Two mugs, please.' };
  await postForm(server, '/@jane-doe/message', message, visitor);
  await postForm(server, '/@jane-doe/report', { reason: 'scam' });
  const { key } = await owner.keys.createKey({ label: 'CI' });
  await owner.keys.revokeKey({ key_id: key.id });

  const domain = 'jane.example';
  const { domain: added } = await owner.domains.createDomain({ domain });
  txtValues.push(added.records.find(({ type }) => type === 'TXT')!.value);
  await owner.domains.checkDomain({ domain });
  txtValues.length = 0;
  await server.sql`UPDATE domains SET checked_at = now() - interval '1 hour',
    missing_since = now() - interval '73 hours'`;
  await owner.domains.checkDomain({ domain });

  const projectId = await server.createProject(account);
  for (const aggregate of ['sum', 'avg'] as const)
    await owner.alerts.createAlert({
      ...{ project_id: projectId, path: ['errors'], aggregate, minutes: 5 },
      ...{ comparison: 'above', threshold: 1 },
    });
  await account.client.stats.ingestMetrics({ projectId, payload: { errors: 3 } });
  await evaluateDueAlerts(server.nameplate);
  await server.sql`DELETE FROM metrics`;
  await server.sql`UPDATE alerts SET evaluated_at = evaluated_at - interval '1 hour'`;
  await evaluateDueAlerts(server.nameplate);

  const { member } = await owner.members.createMember({ display_name: 'max-doe' });
  await owner.members.suspendMember({ account_id: member.id, reason: 'Spam' });
  await owner.members.deleteMember({ account_id: member.id });
  await inTransaction(server.db, (trx) =>
    logServerEvent(trx, server.nameplate, 'application_received', {
      application_id: randomUUID(),
      display_name: 'ada-nowak',
    }),
  );
  await failBackup();
  await failForwarding();
  // The first Monday after the account was created is past by then.
  await sendWeekSummaries(server.nameplate, new Date(Date.now() + 8 * DAY_MS));
  await runDeliveries(server);
  await owner.connections.sendTestEvent({ connection_id: id });

  const events = hook.requests.map(
    ({ body, headers }) =>
      new Webhook(secret).verify(body, headers as never) as { type: string; data: object },
  );
  for (const [index, event] of events.entries()) {
    const { body, headers } = hook.requests[index]!;
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
    const schema = WEBHOOK_EVENTS[event.type as keyof typeof WEBHOOK_EVENTS];
    expect(schema.strict().parse(event)).toEqual(event);
  }
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(
    DELIVERED_EVENT_TYPES.toSorted(),
  );
  const { events: entries } = await owner.events.listEvents({ limit: 200 });
  const contents = entries.map(({ type, detail }) => ({ type, data: detail }));
  for (const { type, data } of events)
    if (type !== 'test') expect(contents).toContainEqual({ type, data });
  expect(JSON.stringify(events)).not.toMatch(/Two mugs|ann@|jane@/);
  const { deliveries } = await owner.connections.listDeliveries({ connection_id: id });
  expect(deliveries.map(({ status }) => status)).toEqual(events.map(() => 'delivered'));
});

/** A file has the name of the folder. */
async function failBackup(): Promise<void> {
  const folder = dirname(server.nameplate.config.BACKUP_DIR!);
  await writeFile(folder, '');
  const { signal } = new AbortController();
  await expect(backupJob.run(server.nameplate, {}, { id: '', signal })).rejects.toThrow();
  await rm(folder);
}

async function failForwarding(): Promise<void> {
  await server.sql`INSERT INTO provider_aliases (name) VALUES ('jane-doe') ON CONFLICT DO NOTHING`;
  const fail = () => Promise.reject(new ForwardingProviderError('REFUSED', { code: 'internal' }));
  const provider = { put: fail, remove: fail, list: fail, check: fail, advice: '' } as never;
  const deps = {
    db: server.db,
    provider,
    jobs: server.jobs,
    timing: DEFAULT_TIMING,
    logger: server.nameplate.log,
  };
  await expect(reconcile(deps, 'jane-doe')).rejects.toThrow();
}
