import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { createAuthenticatedRunner } from '#server/platform/http/contract/authenticated-runner.ts';
import { call, type TestResponse } from '../support/call.ts';
import { idempotentEndpoints, makeOperator } from '../support/endpoints.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const { server, account } = useServer({ account: 'per test' });

const TOGGLE = '/site/toggle-site-visibility';
const UPDATE_PATH = '/site/update-site-configuration';
const RENAME = '/account/update-display-name';
const INGEST = '/stats/ingest-metrics';
const FORWARD = '/email-forwarding/email-forwarding-toggle';

function send({ key }: TestAccount, path: string, idempotencyKey: string, json?: unknown) {
  const headers = { 'idempotency-key': idempotencyKey };
  return call(server.app, { method: 'POST', path, key, headers, json });
}

const isReplay = (response: TestResponse) => response.headers['idempotent-replayed'] === 'true';

async function isEnabled({ client }: TestAccount): Promise<boolean> {
  return (await client.site.getSiteStatus()).enabled;
}

async function ageKeys({ id }: TestAccount, hours: number): Promise<void> {
  await server.sql`UPDATE idempotency_keys SET created_at = now() - ${hours} * interval '1 hour'
    WHERE account_id = ${id}`;
}

const storedKeys = ({ id }: TestAccount) =>
  server.sql`SELECT FROM idempotency_keys WHERE account_id = ${id}`;

it('a retry with the same Idempotency-Key and a different body gets 400 and does nothing', async () => {
  const blocks = ['a', 'b'].map((content) => ({ type: 'text', content }));
  const first = { bio: 'first', blocks };
  await send(account, UPDATE_PATH, 'k', first);
  const reordered = { bio: 'first', blocks: blocks.toReversed() };
  for (const json of [{ bio: 'second' }, { ...first, mood: 'x' }, reordered, {}]) {
    const response = await send(account, UPDATE_PATH, 'k', json);
    expect(response).toMatchObject(
      errorText(400, 'The Idempotency-Key was used before with a different request body.'),
    );
    expect(isReplay(response)).toBe(false);
  }
  const { site } = await account.client.site.getSiteConfiguration();
  expect(site).toMatchObject({ bio: 'first', mood: null });
  expect(isReplay(await send(account, UPDATE_PATH, 'k', first))).toBe(true);
});

it('a retry with the same Idempotency-Key and no body, an empty one or an ignored one has the same meaning', async () => {
  for (const [index, json] of [undefined, {}, { enabled: true }].entries())
    expect(isReplay(await send(account, TOGGLE, 'k', json))).toBe(index > 0);
  expect(await isEnabled(account)).toBe(true);
});

it('a retry with the same Idempotency-Key of another account, or to another endpoint, is a separate request', async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  await send(a, TOGGLE, 'k');
  expect(isReplay(await send(b, TOGGLE, 'k'))).toBe(false);
  expect(await isEnabled(b)).toBe(true);
  const otherEndpoint = await send(a, UPDATE_PATH, 'k', { bio: 'x' });
  expect([otherEndpoint.status, isReplay(otherEndpoint)]).toEqual([200, false]);
  expect(isReplay(await send(a, TOGGLE, 'K'))).toBe(false);
  expect(await isEnabled(a)).toBe(false);
});

it('a retry with the same Idempotency-Key gets the first refusal again, even if the request would be accepted now', async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  await b.client.account.updateDisplayName({ display_name: 'soon-free' });
  const json = { display_name: 'soon-free' };
  const first = await send(a, RENAME, 'k', json);
  expect(first).toMatchObject(errorText(409, 'The display name soon-free is already taken.'));
  await b.client.account.updateDisplayName({ display_name: 'left-behind' });
  const replayed = await send(a, RENAME, 'k', json);
  expect([replayed.status, replayed.text, isReplay(replayed)]).toEqual([409, first.text, true]);
  expect((await send(a, RENAME, 'k2', json)).status).toBe(200);
});

it('a retry with the same Idempotency-Key gets 404 again, but a refused metric is judged anew', async () => {
  const metric = { projectId: crypto.randomUUID(), payload: {} };
  await server.db.deleteFrom('forwarding_settings').where('account_id', '=', account.id).execute();
  for (const [path, json, status] of [
    [INGEST, metric, 403],
    [RENAME, { display_name: 'no-profile' }, 404],
  ] as const) {
    const responses = [await send(account, path, 'k', json), await send(account, path, 'k', json)];
    expect(responses.map((response) => [response.status, isReplay(response)])).toEqual([
      [status, false],
      [status, status === 404],
    ]);
  }
});

it('a retry with the same Idempotency-Key is executed again after a 5xx, which is not stored', async () => {
  const stopFailing = await failWrites(server.db, 'INSERT sites', account.id);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const failed = await send(account, TOGGLE, 'k');
    expect([failed.status, isReplay(failed)]).toEqual([500, false]);
    const savedResponse = await send(account, UPDATE_PATH, 'k', { bio: 'x' });
    expect(savedResponse).toMatchObject(errorText(500, 'Failed to update site details.'));
  }
  expect(await storedKeys(account)).toEqual([]);
  await stopFailing();
  const success = await send(account, TOGGLE, 'k');
  expect([success.status, isReplay(success)]).toEqual([200, false]);
  expect(isReplay(await send(account, TOGGLE, 'k'))).toBe(true);
});

it('a retry with the same Idempotency-Key is executed once more after 24 hours, with any body, and not before', async () => {
  await send(account, TOGGLE, 'k');
  await ageKeys(account, 23.9);
  expect(isReplay(await send(account, TOGGLE, 'k'))).toBe(true);
  await ageKeys(account, 24.1);
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(account, TOGGLE, 'k')));
  const newResponses = responses.filter((response) => !isReplay(response));
  expect(newResponses).toMatchObject([okBody({ success: true, newStatus: false })]);
  expect(await isEnabled(account)).toBe(false);
  await send(account, UPDATE_PATH, 'k', { bio: 'old' });
  await ageKeys(account, 25);
  expect((await send(account, UPDATE_PATH, 'k', { bio: 'new' })).status).toBe(200);
});

it('an invalid body does not use up the key for the corrected one', async () => {
  const projectId = await server.createProject(account);
  for (const [path, invalid, valid] of [
    [UPDATE_PATH, { bio: 1 }, { bio: 'x' }],
    [RENAME, {}, { display_name: 'corrected' }],
    [INGEST, { projectId, payload: [] }, { projectId, payload: {} }],
    [FORWARD, { enabled: 'yes' }, { enabled: false }],
  ] as const) {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await send(account, path, 'k', invalid);
      expect([path, refused.status, isReplay(refused)]).toEqual([path, 400, false]);
    }
    const corrected = await send(account, path, 'k', valid);
    expect([path, corrected.status, isReplay(corrected)]).toEqual([path, 200, false]);
    expect(isReplay(await send(account, path, 'k', valid))).toBe(true);
  }
});

it('the Idempotency-Key may be any visible ASCII of up to 255 characters', async () => {
  for (const key of ['x', '!~"\\\'%00/../', 'x'.repeat(255)]) {
    expect(isReplay(await send(account, TOGGLE, key))).toBe(false);
    expect(isReplay(await send(account, TOGGLE, key))).toBe(true);
  }
});

it.each(withTitles(['', ' ', 'a b', 'a\tb', 'é', 'x'.repeat(256)]))(
  'the Idempotency-Key is refused with 400 on every write if it is $title, and nothing is done',
  async ({ value }) => {
    await makeOperator(server, account);
    for (const { method, path } of idempotentEndpoints) {
      const headers = { 'idempotency-key': value };
      const response = await call(server.app, {
        method,
        path,
        key: account.key,
        json: {},
        headers,
      });
      expect([path, response]).toMatchObject([
        path,
        errorText(400, 'The Idempotency-Key must be 1 to 255 visible ASCII characters.'),
      ]);
    }
    expect(await isEnabled(account)).toBe(false);
    expect(await storedKeys(account)).toEqual([]);
  },
);

it('the Idempotency-Key is ignored on a read', async () => {
  for (const method of ['GET', 'HEAD'])
    for (const key of ['k', 'not valid', ''])
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const headers = { 'idempotency-key': key };
        const path = '/site/get-site-status';
        const response = await call(server.app, { method, path, key: account.key, headers });
        expect([response.status, isReplay(response)]).toEqual([200, false]);
      }
  expect(await storedKeys(account)).toEqual([]);
});

it('a handler with its own idempotency runs only after a recent login, too', async () => {
  const run = createAuthenticatedRunner(server.nameplate);
  const credential = { kind: 'session', sessionId: randomUUID(), keyId: undefined };
  const caller = { accountId: account.id, credential };
  const headers = { 'idempotency-key': 'k' };
  const request = { method: 'POST', routeOptions: {}, headers, caller } as unknown;
  const metadata = { access: 'ownIdempotency', recentLogin: true };
  const handler = vi.fn<() => Promise<never>>();
  const running = run(request as never, { metadata } as never, handler, {}, 'ingestMetrics');
  await expect(running).rejects.toMatchObject({ code: 'reauthenticationRequired' });
  expect(handler).not.toHaveBeenCalled();
});
