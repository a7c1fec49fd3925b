import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { call, type TestResponse } from '../support/call.ts';
import {
  type Endpoint,
  jsonEndpoints,
  ownerEndpoints,
  createValidBody,
} from '../support/endpoints.ts';
import { logIn } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

/** A text that the owner's data contains. */
const CANARY = 'only-mine';

const randomId = () => crypto.randomUUID() as string;
/** Unused ids, by field. */
const UNKNOWN: Record<string, () => string> = {
  ...{ projectId: randomId, project_id: randomId, session_id: randomId, alert_id: randomId },
  ...{ connection_id: randomId, delivery_id: randomId, identity_id: randomId },
  domain: () => `unknown-${randomId()}.example`,
  picture_id: () => `${'x'.repeat(22)}-1x1`,
  passkey_id: () => 'passkey_unknown',
  key_id: () => `np_${CANARY.replaceAll('-', '')}0000000`,
};

let stranger: TestAccount;
const chat = { deliver: async () => '1' };
const { server, account: owner } = useServer({ account: true, chat });
beforeAll(async () => {
  stranger = await server.createAccount();
  const { client } = owner;
  await client.account.updateDisplayName({ display_name: CANARY });
  const email = `${CANARY}@example.org`;
  await client.emailForwarding.emailForwardingToggle({ enabled: true, email });
  const blocks = [{ type: 'text' as const, content: CANARY }];
  await client.site.updateSiteConfiguration({ bio: CANARY, blocks });
  const projectId = await server.createProject(owner, CANARY);
  await client.stats.ingestMetrics({ projectId, payload: { [CANARY]: CANARY } });
  const json = { label: CANARY };
  await call(server.app, { method: 'POST', path: '/owner/keys/create-key', key: owner.key, json });
  await logIn(server, owner.id);
});

/** All database rows of the owner, without usage counters, times of last use and logged requests. */
async function readAllRows(): Promise<unknown[]> {
  const tables = await server.sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND column_name = 'account_id' AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('daily_usage', 'key_requests')
    ORDER BY 1`;
  const selectRows = (table: string) => sql`
    SELECT ${table} AS name, (to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text AS row
    FROM ${sql.table(table)} t WHERE account_id = ${owner.id}`;
  const selects = tables.map(({ name }) => selectRows(name));
  const allRows = await server.sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY 1, 2`;
  const metrics = await server.sql`SELECT metrics.* FROM metrics
    JOIN projects ON projects.id = project_id WHERE account_id = ${owner.id}
    ORDER BY metrics.id`;
  return [...allRows, ...metrics];
}

function sendAs(
  { key }: TestAccount,
  { method, path }: Endpoint,
  json: object | undefined,
): Promise<TestResponse> {
  return call(server.app, { method, path, key, json });
}

/** Replaces each id in the body with an unused one. Returns undefined if the body has no ids. */
function withUnknownIds(body: object | undefined): object | undefined {
  const ids = Object.keys(body ?? {}).filter((name) => name in UNKNOWN);
  if (ids.length === 0) return undefined;
  return { ...body, ...Object.fromEntries(ids.map((name) => [name, UNKNOWN[name]!()])) };
}

// Whoever has the token of a mail sees whom it is for.
it.each(jsonEndpoints.filter(({ name }) => name !== 'getKeeperInvitation'))(
  '$method $path from a stranger reveals and changes nothing of the account, and gets the same response as for unknown ids',
  async (endpoint) => {
    const body = await createValidBody(server, owner, endpoint);
    const before = await readAllRows();
    const response = await sendAs(stranger, endpoint, body);
    expect(response.text).not.toContain(CANARY);
    expect(await readAllRows()).toEqual(before);
    const unknownBody = withUnknownIds(body);
    // Any account can claim a domain and gets its own proof record.
    if (!unknownBody || endpoint.name === 'createDomain') return;
    expect([response.status, response.body]).toEqual(await statusAndBody(endpoint, unknownBody));
    // For metrics, a malformed id is an unknown one.
    if (endpoint.area === 'metrics')
      expect([response.status, response.body]).toEqual(
        await statusAndBody(endpoint, { ...unknownBody, project_id: 'none' }),
      );
    // The same body is valid for the owner, so the refusal was about ownership.
    expect((await sendAs(owner, endpoint, body)).status).toBe(200);
  },
);

it.each(
  ownerEndpoints.filter(({ query }) => query && 'project_id' in (query as z.ZodObject).shape),
)(
  '$method $path gives a stranger the same response for a project as for an unknown id',
  async ({ method, path, area }) => {
    const [project] = (await owner.client.stats.getProjects()).projects;
    const requestProject = (id: string) =>
      call(server.app, { method, path: `${path}?project_id=${id}`, key: stranger.key });
    const response = await requestProject(project!.id);
    expect(response.text).not.toContain(CANARY);
    for (const id of [crypto.randomUUID(), ...(area === 'metrics' ? ['none'] : [])]) {
      const { status, body } = await requestProject(id);
      expect([response.status, response.body]).toEqual([status, body]);
    }
    expect([403, 404]).toContain(response.status);
  },
);

it.each([
  ['connections/list-connections', 'deleteConnection'],
  ['pictures/list-pictures', 'deletePicture'],
  ['sessions/list-sessions', 'revokeSession'],
  ['keys/list-keys', 'revokeKey'],
])('GET /owner/%s shows an id to its owner and not to a stranger', async (path, endpointWithId) => {
  const endpoint = ownerEndpoints.find(({ name }) => name === endpointWithId)!;
  const [id] = Object.values((await createValidBody(server, owner, endpoint))!);
  const list = async ({ key }: TestAccount) =>
    (await call(server.app, { method: 'GET', path: `/owner/${path}`, key })).text;
  expect(await list(owner)).toContain(id);
  expect(await list(stranger)).not.toContain(id);
});

async function statusAndBody(endpoint: Endpoint, json: object): Promise<[number, unknown]> {
  const { status, body } = await sendAs(stranger, endpoint, json);
  return [status, body];
}
