import { expect, it } from 'vitest';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { call } from '../support/call.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });

it.each(ALL_FEATURES.map((feature) => [feature.name, feature] as const))(
  'the server starts with %s and what that needs',
  async (_name, feature) => {
    const { app, nameplate } = await openTestApp({ features: [feature] }, server.database);
    expect((await call(app, { path: '/healthz' })).status).toBe(200);
    const path = '/owner/sessions/get-session';
    expect((await call(app, { path, key: account.key })).status).toBe(200);
    const hasAlerts = nameplate.features.list.some(({ name }) => name === 'alerts');
    const alerts = await call(app, { path: '/owner/alerts/list-alerts', key: account.key });
    expect(alerts.status).toBe(hasAlerts ? 400 : 404);
  },
);
