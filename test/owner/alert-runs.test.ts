import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { listDueAlerts, saveEvaluation } from '#db/queries/alert-runs.ts';
import { listAlerts } from '#db/queries/alerts.ts';
import { listEvents } from '#db/queries/events.ts';
import type { Schema } from '#db/schema.ts';
import type { App } from '#server/app.ts';
import { ALERT_ERRORS } from '#server/features/alerts/alert-message.ts';
import { evaluateDueAlerts } from '#server/features/alerts/evaluate-alerts.ts';
import { SLOW_READ_CONNECTIONS } from '#server/platform/limits/database-queues.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { runDeliveries } from '../connections/support/connection-app.ts';
import { send } from '../support/call.ts';
import { useChatApp } from '../support/chat-app.ts';
import { eventually } from '../support/eventually.ts';
import { failWrites } from '../support/fail-writes.ts';
import type { TestWebhook } from '../support/fake-discord.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { setSuspended } from '../support/suspend.ts';
import { type TestAccount } from '../support/test-app.ts';
import { queryMetrics } from './support/metrics.ts';

const { discord, server } = await useChatApp();
const app = server.nameplate;

interface Scenario {
  account: TestAccount;
  projectId: string;
  alertId: string;
  webhook: TestWebhook;
}

async function connect({ owner }: TestAccount, { url }: TestWebhook): Promise<string> {
  const fields = { kind: 'discord' as const, name: 'x', url, event_types: [] };
  return (await owner.connections.createConnection(fields)).connection.id;
}

async function createScenario(overrides = {}): Promise<Scenario> {
  const account = await server.createAccount();
  const projectId = await server.createProject(account);
  const webhook = discord.addWebhook();
  const { alert } = await account.owner.alerts.createAlert({
    ...{ project_id: projectId, connection_id: await connect(account, webhook) },
    ...{ path: ['errors'], aggregate: 'sum', minutes: 15, comparison: 'above', threshold: 10 },
    ...overrides,
  });
  return { account, projectId, alertId: alert.id, webhook };
}

function ingest({ account, projectId }: Scenario, ...counts: number[]) {
  return Promise.all(
    counts.map((errors) => account.client.stats.ingestMetrics({ projectId, payload: { errors } })),
  );
}

function withSlowReads(databaseFor: App['queues']['slowReads']['databaseFor']): App {
  const slowReads = { databaseFor } as App['queues']['slowReads'];
  return { ...app, queues: { ...app.queues, slowReads } };
}

/** The metrics of one scenario are read with a plugin. */
const withPlugin = ({ account }: Scenario, plugin: KyselyPlugin) =>
  withSlowReads((key) => {
    const queueDb = app.queues.slowReads.databaseFor(key);
    return key === account.id ? queueDb.withPlugin(plugin) : queueDb;
  });

async function addCopies({ alertId }: Scenario, count: number): Promise<void> {
  await server.sql`INSERT INTO alerts (account_id, project_id, connection_id, path, aggregate, minutes, comparison, threshold, pause_minutes)
    SELECT account_id, project_id, connection_id, path, aggregate, minutes, comparison, threshold, pause_minutes
    FROM alerts, generate_series(1, ${sql.lit(count)}) WHERE id = ${alertId}`;
}

async function makeAlertsDue(): Promise<void> {
  await server.sql`UPDATE alerts SET evaluated_at = evaluated_at - interval '1 hour'`;
}

const sendMessages = (options?: { includeFuture: boolean }) => runDeliveries(server, options, app);

async function deleteMetrics({ projectId }: Scenario): Promise<void> {
  await server.sql`DELETE FROM metrics WHERE project_id = ${projectId}`;
}

async function evaluateAndSend(): Promise<void> {
  await makeAlertsDue();
  await evaluateDueAlerts(app);
  await sendMessages();
}

async function readAlert({ account }: Scenario) {
  const [alert] = await listAlerts(server.db, account.id);
  return { ...alert!, last_error: formatStored(ALERT_ERRORS, alert!.last_error) };
}

/** Texts of the messages, which all end with a link to the alert. */
const sentTexts = ({ webhook, projectId }: Scenario) =>
  webhook.requests.map(({ text }) => {
    const { content } = JSON.parse(text) as { content: string };
    const [, message, path] = /^([^]*)\n<http.*?(\/dashboard\/.*)>$/.exec(content) ?? [];
    expect(path).toMatch(new RegExp(`^/dashboard/metrics/${projectId}#[\\da-f-]{36}$`));
    return message;
  });

it('an alert sends one message when it starts to fire and one when it stops', async () => {
  const scenario = await createScenario();
  await ingest(scenario, 3, 4);
  await evaluateAndSend();
  expect(await readAlert(scenario)).toMatchObject({ state: 'fine', value: 7, last_error: null });
  expect(sentTexts(scenario)).toEqual([]);
  await ingest(scenario, 5);
  await evaluateAndSend();
  await evaluateAndSend();
  expect(await readAlert(scenario)).toMatchObject({ state: 'firing', value: 12 });
  const firingText =
    '🔴 **Alert: Shop**\nSum of errors in the last 15 minutes is above 10. It is now 12.';
  expect(sentTexts(scenario)).toEqual([firingText]);
  await deleteMetrics(scenario);
  await evaluateAndSend();
  await evaluateAndSend();
  expect(sentTexts(scenario)).toEqual([
    firingText,
    '🟢 **Alert resolved: Shop**\nNo longer true: Sum of errors in the last 15 minutes is above 10. It is now 0.',
  ]);
  expect(await readAlert(scenario)).toMatchObject({ state: 'fine', sent_at: expect.any(Date) });
  const events = await listEvents(server.db, scenario.account.id, { limit: 10 });
  expect(events.map(({ type, outcome }) => [type, outcome])).toEqual([
    ['alert_recovered', 'succeeded'],
    ['alert_firing', 'succeeded'],
    ['connection_created', 'succeeded'],
  ]);
});

it('an alert does not fire again before its pause is over', async () => {
  const scenario = await createScenario({ pause_minutes: 30 });
  for (let count = 0; count < 3; count += 1) {
    await ingest(scenario, 20);
    await evaluateAndSend();
    await deleteMetrics(scenario);
    await evaluateAndSend();
  }
  expect(sentTexts(scenario)).toHaveLength(2);
  await ingest(scenario, 20);
  await evaluateAndSend();
  const { state, sent_at: sentAt, paused_until: pausedUntil } = await readAlert(scenario);
  expect(state).toBe('firing');
  // The message that it recovered was later.
  expect(pausedUntil!.getTime()).toBeGreaterThan(Date.now());
  expect(pausedUntil!.getTime()).toBeLessThan(sentAt!.getTime() + 30 * 60_000);
  expect(sentTexts(scenario)).toHaveLength(2);
  await server.sql`UPDATE alerts SET firing_notified_at = firing_notified_at - interval '31 minutes'`;
  expect(await readAlert(scenario)).toMatchObject({ paused_until: null });
  await evaluateAndSend();
  expect(sentTexts(scenario)).toHaveLength(3);
});

it('an alert sends one message, even if several servers evaluate it at the same time', async () => {
  const scenarios = await Promise.all(Array.from({ length: 20 }, () => createScenario()));
  for (const scenario of scenarios) await ingest(scenario, 20);
  await makeAlertsDue();
  const apps = Array.from({ length: 4 }, () => ({
    ...app,
    queues: server.database.createQueues(),
  }));
  await Promise.all(apps.map((other) => evaluateDueAlerts(other)));
  // Only some of them are sent at the same time.
  for (let count = 0; count < 10; count += 1)
    await Promise.all(Array.from({ length: 4 }, () => sendMessages({ includeFuture: true })));
  expect(scenarios.map(({ webhook }) => webhook.requests.length)).toEqual(scenarios.map(() => 1));
});

it('an alert reports missing metrics, and has no data if a number is missing', async () => {
  const absence = await createScenario({ comparison: 'absent', threshold: null });
  const average = await createScenario({ aggregate: 'avg' });
  await evaluateAndSend();
  expect(sentTexts(absence)).toEqual(['🔴 **Alert: Shop**\nNo errors in the last 15 minutes.']);
  expect(await readAlert(average)).toMatchObject({ state: 'no_data', value: null });
  await ingest(absence, 0);
  await ingest(average, 4, 20);
  await evaluateAndSend();
  expect(sentTexts(absence)[1]).toBe(
    '🟢 **Alert resolved: Shop**\nNo longer true: No errors in the last 15 minutes.',
  );
  expect(await readAlert(average)).toMatchObject({ state: 'firing', value: 12 });
});

it('an alert says once that it has no data any more, until data returns and its pause is over', async () => {
  const scenario = await createScenario({ aggregate: 'avg', pause_minutes: 30 });
  const silent = await createScenario({ aggregate: 'avg', notify_no_data: false });
  const withoutData = '🔴 **Alert without data: Shop**\nNo data for the alert: Average of errors';
  const stopData = async () => {
    for (const { account, projectId } of [scenario, silent])
      await account.client.stats.ingestMetrics({ projectId, payload: { errors: 5 } });
    await evaluateAndSend();
    await deleteMetrics(scenario);
    await deleteMetrics(silent);
    for (let count = 0; count < 2; count += 1) await evaluateAndSend();
    return sentTexts(scenario);
  };
  // It has had no data yet.
  await evaluateAndSend();
  expect(sentTexts(scenario)).toEqual([]);
  const first = await stopData();
  expect(first).toEqual([`${withoutData} in the last 15 minutes is above 10.`]);
  expect(await readAlert(scenario)).toMatchObject({ state: 'no_data', value: null });
  expect(await stopData()).toHaveLength(1);
  await server.sql`UPDATE alerts SET no_data_notified_at = now() - interval '31 minutes'`;
  await evaluateAndSend();
  expect(sentTexts(scenario)).toHaveLength(2);
  expect(sentTexts(silent)).toEqual([]);
  const [event] = await listEvents(server.db, scenario.account.id, { limit: 1 });
  expect(event).toMatchObject({
    type: 'alert_no_data',
    detail: {
      ...{ path: ['errors'], aggregate: 'avg', minutes: 15, comparison: 'above', threshold: 10 },
      ...{ state: 'no_data', value: null },
    },
  });
});

it('an alert that still fires when its data returns says so again', async () => {
  const scenario = await createScenario({ aggregate: 'avg', pause_minutes: 0 });
  for (let round = 0; round < 2; round += 1) {
    await ingest(scenario, 20);
    for (let count = 0; count < 2; count += 1) await evaluateAndSend();
    await deleteMetrics(scenario);
    await evaluateAndSend();
  }
  const kinds = sentTexts(scenario).map(
    (text = '') => `${text.slice(0, 2)}${text.includes('without')}`,
  );
  expect(kinds).toEqual(['🔴false', '🔴true', '🔴false', '🔴true']);
});

it('an alert keeps its state and says so, if its value could not be read in time', async () => {
  const scenario = await createScenario({ aggregate: 'avg' });
  await ingest(scenario, 5);
  await evaluateAndSend();
  await makeAlertsDue();
  const timeout = Object.assign(new Error('timeout'), { code: '57014' });
  const timeoutPlugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: () => Promise.reject(timeout),
  };
  await evaluateDueAlerts(withPlugin(scenario, timeoutPlugin));
  await sendMessages();
  expect(await readAlert(scenario)).toMatchObject({
    state: 'fine',
    value: 5,
    last_error: 'The latest check took too long. It is tried again after ten minutes.',
  });
  expect(sentTexts(scenario)).toEqual([]);
  const due = await listDueAlerts(server.db, { limit: 1_000 });
  expect(due.map(({ id }) => id)).not.toContain(scenario.alertId);
});

it.each([
  ['count', 'below', 3, 2],
  ['min', 'below', 5, 4],
  ['max', 'above', 19, 20],
  ['avg', 'above', 11, 12],
])('an alert compares the %s of a field', async (aggregate, comparison, threshold, value) => {
  const scenario = await createScenario({ aggregate, comparison, threshold });
  await ingest(scenario, 4, 20);
  await evaluateAndSend();
  expect(await readAlert(scenario)).toMatchObject({ state: 'firing', value });
});

it('an alert counts only what arrived in its window', async () => {
  const scenario = await createScenario({ minutes: 5 });
  await ingest(scenario, 20);
  await server.sql`UPDATE metrics SET received_at = received_at - interval '6 minutes'
      WHERE project_id = ${scenario.projectId}`;
  await evaluateAndSend();
  expect(await readAlert(scenario)).toMatchObject({ state: 'fine', value: 0 });
});

it('an alert is not evaluated while its account is suspended or its project is deleted', async () => {
  const [suspended, deleted] = [await createScenario(), await createScenario()];
  await ingest(suspended, 20);
  await ingest(deleted, 20);
  await setSuspended(server, suspended.account.id);
  await server.sql`UPDATE projects SET closed_at = now() WHERE id = ${deleted.projectId}`;
  await evaluateAndSend();
  expect([...sentTexts(suspended), ...sentTexts(deleted)]).toEqual([]);
  await setSuspended(server, suspended.account.id, false);
  await evaluateAndSend();
  expect(sentTexts(suspended)).toHaveLength(1);
});

it('an alert contains no mentions or formatting, whatever its project is called', async () => {
  const scenario = await createScenario();
  const name = '@everyone [x](https://example.com) **b**';
  await server.sql`UPDATE projects SET name = ${name} WHERE id = ${scenario.projectId}`;
  await ingest(scenario, 20);
  await evaluateAndSend();
  const message = JSON.parse(scenario.webhook.requests[0]!.text) as object;
  expect(message).toMatchObject({ allowed_mentions: { parse: [] } });
  expect(sentTexts(scenario)[0]).toContain(String.raw`\[x\](https://example.com) \*\*b\*\*`);
});

it('an alert about missing metrics finds one among many others', async () => {
  const scenario = await createScenario({ comparison: 'absent', threshold: null });
  const { account, projectId } = scenario;
  const { connection_id } = await readAlert(scenario);
  const alert = {
    ...{ project_id: projectId, connection_id, path: ['nothing'] },
    ...{ minutes: 15, comparison: 'absent' },
  };
  await send(server, account, 'POST /owner/alerts/create-alert', alert);
  await server.sql`INSERT INTO metrics (project_id, payload)
    SELECT ${projectId}::uuid, '{"a":1}'::json FROM generate_series(1, 100001)`;
  await ingest(scenario, 1);
  await evaluateAndSend();
  expect(await listAlerts(server.db, account.id)).toMatchObject([
    { state: 'fine', value: 1 },
    { state: 'firing', value: 0 },
  ]);
});

it('an evaluation sends nothing after a later one or a change of the alert', async () => {
  const scenario = await createScenario();
  await makeAlertsDue();
  const { db } = server;
  const evaluation = { state: 'firing', value: 12, seconds: 0 } as const;
  const findDueAlert = async () =>
    (await listDueAlerts(db, { limit: 1_000 })).find(
      ({ account_id }) => account_id === scenario.account.id,
    )!;
  const first = await findDueAlert();
  const second = await findDueAlert();
  expect(
    await saveEvaluation(db, second, { ...evaluation, state: 'no_data', value: null }),
  ).toBeUndefined();
  expect(await saveEvaluation(db, first, evaluation)).toBeUndefined();
  expect(await readAlert(scenario)).toMatchObject({ state: 'no_data' });
  const { id: alert_id, connection_id } = await readAlert(scenario);
  const change = { alert_id, connection_id, minutes: 1, comparison: 'absent' };
  await send(server, scenario.account, 'POST /owner/alerts/update-alert', change);
  expect(await saveEvaluation(db, second, evaluation)).toBeUndefined();
  expect(await readAlert(scenario)).toMatchObject({ state: 'new' });
});

it('a slow evaluation delays the next one by twenty times its duration', async () => {
  const scenario = await createScenario();
  const isDue = async () =>
    (await listDueAlerts(server.db, { limit: 1_000 })).some(
      ({ account_id }) => account_id === scenario.account.id,
    );
  await evaluateAndSend();
  const setEvaluationAge = (seconds: number) =>
    server.sql`UPDATE alerts SET evaluation_seconds = 10,
      evaluated_at = now() - ${seconds} * interval '1 second'
      WHERE id = ${scenario.alertId}`;
  await setEvaluationAge(190);
  expect(await isDue()).toBe(false);
  await setEvaluationAge(210);
  expect(await isDue()).toBe(true);
});

it('an alert whose evaluation fails keeps its state and does not delay others', async () => {
  const [failing, scenario] = [await createScenario(), await createScenario()];
  await ingest(scenario, 20);
  await makeAlertsDue();
  const failingApp = withSlowReads((account) => {
    if (account === failing.account.id) throw new Error('no turn');
    return app.queues.slowReads.databaseFor(account);
  });
  await evaluateDueAlerts(failingApp);
  expect(await readAlert(failing)).toMatchObject({
    state: 'new',
    evaluated_at: null,
    last_error: 'The latest check failed. It is tried again every minute.',
  });
  expect(await readAlert(scenario)).toMatchObject({ state: 'firing' });
  await evaluateDueAlerts(app);
  expect(await readAlert(failing)).toMatchObject({ state: 'fine', last_error: null });
});

it('a result that cannot be saved does not abort the evaluation of others', async () => {
  const [failing, scenario] = [await createScenario(), await createScenario()];
  await ingest(failing, 20);
  await ingest(scenario, 20);
  const accountId = failing.account.id;
  const repair = await failWrites(server.db, 'UPDATE alerts', accountId);
  await evaluateDueAlerts(app);
  await repair();
  expect(await readAlert(failing)).toMatchObject({ state: 'new' });
  expect(await readAlert(scenario)).toMatchObject({ state: 'firing' });
});

it('slow evaluations of other accounts delay neither alerts nor the queries of a dashboard', async () => {
  fakeTimers(['performance']);
  const slow = await Promise.all(Array.from({ length: 5 }, () => createScenario()));
  const quick = await createScenario();
  for (const scenario of [...slow, quick]) await addCopies(scenario, 19);
  // The slow ones are the first.
  await server.sql`UPDATE alerts SET evaluated_at = now() - interval '1 hour'
    WHERE account_id = ${quick.account.id}`;
  const held: (() => void)[] = [];
  let isHolding = true;
  const holdConnections = (db: Database) => {
    const execute = <T>(work: (connection: Kysely<Schema>) => Promise<T>) =>
      db.connection().execute(async (connection) => {
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
        return work(connection);
      });
    return { connection: () => ({ execute }) } as unknown as Database;
  };
  const evaluation = evaluateDueAlerts(
    withSlowReads((key) => {
      const queueDb = app.queues.slowReads.databaseFor(key);
      return slow.some(({ account }) => account.id === key) ? holdConnections(queueDb) : queueDb;
    }),
  );
  await expect.poll(() => held.length).toBe(SLOW_READ_CONNECTIONS);
  const range = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
  const query = { project_id: quick.projectId, ...range };
  expect((await queryMetrics(server, quick.account, query)).status).toBe(200);
  vi.advanceTimersByTime(5_000);
  for (const release of held.splice(0)) release();
  await eventually(
    () => listAlerts(server.db, quick.account.id),
    (alerts) => alerts.every(({ state }) => state !== 'new'),
  );
  isHolding = false;
  for (const release of held) release();
  await evaluation;
});

it('the alerts of one account are evaluated one after another', async () => {
  const scenario = await createScenario();
  await ingest(scenario, 20);
  await addCopies(scenario, 18);
  await makeAlertsDue();
  let [running, maxRunning] = [0, 0];
  const countingPlugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      return node;
    },
    transformResult: async ({ result }) => {
      running -= 1;
      return result;
    },
  };
  await evaluateDueAlerts(withPlugin(scenario, countingPlugin));
  const alerts = await listAlerts(server.db, scenario.account.id);
  expect(alerts.map(({ state }) => state)).toEqual(Array.from({ length: 19 }, () => 'firing'));
  expect(maxRunning).toBe(1);
});

it('a stopped evaluation starts nothing new', async () => {
  const scenario = await createScenario();
  await ingest(scenario, 20);
  await makeAlertsDue();
  await evaluateDueAlerts(app, AbortSignal.abort());
  expect(await readAlert(scenario)).toMatchObject({ state: 'new' });
});
