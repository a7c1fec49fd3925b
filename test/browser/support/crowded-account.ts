import { randomUUID } from 'node:crypto';
import type { UpdateSiteConfigurationRequest } from '#client/index.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { call } from '#test/support/call.ts';
import { createSession, createLoginLinkToken, SAME_ORIGIN_HEADERS } from '#test/support/session.ts';
import type { TestAccount, TestApp } from '#test/support/test-app.ts';
import { createHostileSites } from './hostile-sites.ts';

/** HTML whose execution a test notices: it opens a dialog and requests `x`. */
const CANARY =
  "\"><img src=x onerror=alert(1)><script>alert(1)</script>{{alert(1)}}\u202E' onfocus=alert(1) autofocus='";

/** Text of this length that starts and ends with the canary. */
export function hostileText(length: number): string {
  return `${CANARY}${'w'.repeat(length)}`.slice(0, length - CANARY.length) + CANARY;
}

/** Names without characters that reorder text, which the server refuses in new ones. */
const hostileName = (length: number) => hostileText(length).replaceAll('\u202E', '_');

/** Creates an account with two projects and much hostile text, mostly of maximum length. */
export async function createCrowdedAccount(
  server: TestApp,
): Promise<{ account: TestAccount; projectId: string }> {
  const account = await server.createAccount();
  const post = (path: string, json: unknown) =>
    call(server.app, { method: 'POST', path, key: account.key, json });
  await account.client.account.updateDisplayName({
    display_name: `a${randomUUID().replaceAll('-', '')}`.padEnd(LIMITS.displayNameMax, 'w'),
  });
  await account.client.site.updateSiteConfiguration(
    createHostileSites()['markup in every string'] as UpdateSiteConfigurationRequest,
  );
  await account.client.site.toggleSiteVisibility();
  for (const length of [LIMITS.projectName, CANARY.length * 2])
    await post('/owner/projects/create-project', { name: hostileName(length) });
  const { projects } = await account.client.stats.getProjects();
  const projectId = projects[0]!.id;
  for (let sent = 0; sent < 25; sent += 1)
    await account.client.stats.ingestMetrics({
      projectId,
      payload: {
        visitors: 1e15 + sent,
        [hostileText(300)]: hostileText(2_000),
        country: `${sent % 7}${hostileText(250)}`,
      },
    });
  for (const scope of ['all', 'read', 'metrics'])
    await post('/owner/keys/create-key', { label: hostileName(LIMITS.keyLabel), scope });
  await post('/owner/connections/create-connection', {
    kind: 'ntfy',
    name: hostileName(LIMITS.connectionName),
    url: 'https://ntfy.sh/topic',
    event_types: [],
  });
  await server.db
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      account_id: account.id,
      public_key: Buffer.from('x'),
      counter: '0',
      transports: '[]',
      scope: 'operator' as const,
      label: hostileText(LIMITS.keyLabel),
      last_used_at: null,
    })
    .execute();
  const agent = Buffer.from(hostileText(400))
    .toString('latin1')
    .replace(/[^ -~]/g, '');
  await createSession(
    server,
    { login_url: await createLoginLinkToken(server, account.id) },
    { ...SAME_ORIGIN_HEADERS, 'user-agent': agent },
  );
  await server.db
    .insertInto('events')
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        account_id: account.id,
        type: 'display_name_updated' as const,
        outcome: index % 2 === 0 ? ('failed' as const) : ('pending' as const),
        detail: JSON.stringify({ to: hostileText(300), from: hostileText(300), by: 'np_x', agent }),
        created_at: new Date(Date.now() - index * 60_000),
      })),
    )
    .execute();
  return { account, projectId };
}
