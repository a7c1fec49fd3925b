import { expect, it } from 'vitest';
import { alerts } from '#server/features/alerts/feature.ts';
import { connections } from '#server/features/connections/feature.ts';
import { call, type TestResponse, send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true, features: [alerts, connections] });

const MISSING = { status: 404, body: { error: 'You have no such alert.' } };
const TIME = { minutes: 15, comparison: 'above', threshold: 10 } as const;
const CONDITION = { path: ['errors'], aggregate: 'sum' as const, ...TIME };

function callAlerts(owner: TestAccount, action: string, json: object): Promise<TestResponse> {
  return send(server, owner, `POST /owner/alerts/${action}-alert`, json);
}

async function createConnection({ owner }: TestAccount): Promise<string> {
  const { connection } = await owner.connections.createConnection({
    ...{ kind: 'discord', name: '#shop', event_types: [] },
    url: 'https://discord.com/api/webhooks/1/token',
  });
  return connection.id;
}

async function createAlert(owner: TestAccount, overrides: object = {}) {
  const projectId = await server.createProject(owner);
  const connectionId = await createConnection(owner);
  const ids = { project_id: projectId, connection_id: connectionId };
  const { alert } = await owner.owner.alerts.createAlert({ ...ids, ...CONDITION, ...overrides });
  return { projectId, connectionId, alert };
}

async function listAlerts({ key }: TestAccount, projectId: string): Promise<TestResponse> {
  return call(server.app, { path: `/owner/alerts/list-alerts?project_id=${projectId}`, key });
}

it('an alert is created, listed with its project, and changed', async () => {
  const { projectId, connectionId, alert } = await createAlert(account);
  expect(alert).toEqual({
    id: alert.id,
    ...CONDITION,
    connection_id: connectionId,
    pause_minutes: 60,
    notify_no_data: true,
    ...{ state: 'new', value: null, changed_at: null, evaluated_at: null, sent_at: null },
    ...{ paused_until: null, last_error: null },
    created_at: expect.any(String),
  });
  expect((await listAlerts(account, projectId)).body).toEqual({ alerts: [alert] });
  const off = { alert_id: alert.id, ...CONDITION, notify_no_data: false };
  expect((await callAlerts(account, 'update', off)).body).toMatchObject({
    alert: { notify_no_data: false },
  });
  const change = { ...CONDITION, comparison: 'absent', threshold: null, pause_minutes: 5 };
  const updateResponse = await callAlerts(account, 'update', {
    alert_id: alert.id,
    connection_id: connectionId,
    ...change,
  });
  expect(updateResponse.body).toMatchObject({
    alert: {
      ...{ id: alert.id, comparison: 'absent', threshold: null, pause_minutes: 5 },
      notify_no_data: false,
    },
  });
  expect((await callAlerts(account, 'delete', { alert_id: alert.id })).status).toBe(200);
  expect(await callAlerts(account, 'delete', { alert_id: alert.id })).toMatchObject(MISSING);
  expect((await listAlerts(account, projectId)).body).toMatchObject({ alerts: [] });
});

it('an alert cannot use projects or connections of other accounts', async () => {
  const otherAccount = await server.createAccount();
  const { projectId, connectionId, alert } = await createAlert(account);
  const otherProject = await server.createProject(otherAccount);
  const otherConnection = await createConnection(otherAccount);
  for (const [owner, action, ids, noun] of [
    [
      otherAccount,
      'create',
      { project_id: otherProject, connection_id: connectionId },
      'connection',
    ],
    [otherAccount, 'create', { project_id: projectId, connection_id: otherConnection }, 'project'],
    [account, 'update', { alert_id: alert.id, connection_id: otherConnection }, 'connection'],
  ] as const)
    expect(await callAlerts(owner, action, { ...ids, ...CONDITION })).toMatchObject(
      errorText(404, `You have no such ${noun}.`),
    );
});

it('an alert requires a valid condition', async () => {
  const { projectId, connectionId } = await createAlert(account);
  const threshold =
    'threshold is required with above and below, and must be null or left out with absent.';
  const path =
    'path must name a number in the payloads. Only the aggregate count takes an empty path.';
  for (const [change, error] of [
    [{ threshold: null }, threshold],
    [{ comparison: 'absent' }, threshold],
    [{ path: ['__proto__'] }, expect.stringContaining('path must be an array')],
    [{ path: [] }, path],
    [{ path: undefined, aggregate: 'avg' }, path],
  ] as const)
    expect(
      await callAlerts(account, 'create', {
        project_id: projectId,
        connection_id: connectionId,
        ...CONDITION,
        ...change,
      }),
    ).toMatchObject({ status: 400, body: { error } });
});

it('an alert prevents the deletion of its connection', async () => {
  const { connectionId, alert } = await createAlert(account);
  const json = { connection_id: connectionId };
  const remove = () => send(server, account, 'POST /owner/connections/delete-connection', json);
  expect(await remove()).toMatchObject(
    errorText(400, 'Alerts use this connection. Delete them or change where they go first.'),
  );
  await callAlerts(account, 'delete', { alert_id: alert.id });
  expect((await remove()).status).toBe(200);
  expect((await remove()).status).toBe(404);
});

it('an alert is limited to 20 per account, also with concurrent requests', async () => {
  const owner = await server.createAccount();
  const { projectId, connectionId } = await createAlert(owner);
  const json = { project_id: projectId, connection_id: connectionId, ...CONDITION };
  const responses = await Promise.all(
    Array.from({ length: 24 }, () => callAlerts(owner, 'create', json)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(responses.find(({ status }) => status !== 200)?.body).toEqual({
    error: 'This account has reached its limit of 20 alerts. Delete one first.',
  });
});
