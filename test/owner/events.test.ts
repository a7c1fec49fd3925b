import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type ListEventsResponse } from '#client/owner.ts';
import type { EventType } from '#contract/shared/event-types.ts';
import { insertEvent, insertFailedLogin } from '#db/queries/events.ts';
import { Authenticator } from '../support/authenticator.ts';
import { call, send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { errorText } from '../support/expected-responses.ts';
import {
  createSession,
  createLoginLinkToken,
  SAME_ORIGIN_HEADERS,
  postFromPage,
  sessionHeaders,
} from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const ORIGIN = 'https://names.example.org';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

const { server, account } = useServer({ account: 'per test', PUBLIC_URL: ORIGIN });

async function listEvents(query = '', owner: TestAccount = account) {
  const { status, body } = await send(server, owner, `GET /owner/events/list-events${query}`);
  return { status, body };
}

async function readEventPage(query = '', owner = account): Promise<ListEventsResponse> {
  const { status, body } = await listEvents(query, owner);
  expect(status).toBe(200);
  return body as ListEventsResponse;
}

it('events of a newer version are left out', async () => {
  await account.client.account.updateDisplayName({ display_name: 'jane-of-today' });
  await server.sql`ALTER TABLE events DROP CONSTRAINT events_type_check`;
  await server.sql`INSERT INTO events (account_id, type, outcome)
    VALUES (${account.id}, 'from_the_future', 'succeeded')`;
  const { events } = await readEventPage();
  expect(events.map(({ type }) => type)).toEqual(['display_name_updated']);
});

it('list-events returns only problems with `failed`', async () => {
  const insert = (type: EventType, outcome: 'succeeded' | 'failed') =>
    insertEvent(server.db, { accountId: account.id, type, outcome, detail: {} });
  await insert('logged_in', 'succeeded');
  await insert('login_failed', 'failed');
  await insert('domain_lost', 'succeeded');
  const { events } = await readEventPage('?failed=true');
  expect(events.map(({ type }) => type).toSorted()).toEqual(['domain_lost', 'login_failed']);
  expect((await readEventPage('?failed=true&type=page')).events).toHaveLength(1);
});

it("list-events returns the account's events", async () => {
  expect(await listEvents()).toEqual({ status: 200, body: { events: [], next: null } });
  await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
  const id = await insertEvent(server.db, {
    accountId: account.id,
    type: 'chat_message_sent',
    outcome: 'pending',
    detail: { platform_id: '1' },
  });
  const completed_at = expect.stringMatching(/Z$/) as string;
  expect((await listEvents()).body).toMatchObject({
    events: [
      { id, summary: 'Chat message sent', outcome: 'pending', completed_at: null },
      {
        summary: expect.stringMatching(/^Name changed to @jane-doe by an unnamed key$/) as string,
        outcome: 'succeeded',
        completed_at,
      },
    ],
    next: null,
  });
});

it('list-events pages through all events, newest first, each once, while new ones are added', async () => {
  const timeAt = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const insert = (rows: { id: string; created_at: Date }[]) =>
    server.db
      .insertInto('events')
      .values(
        rows.map((row) => ({
          ...{ account_id: account.id, type: 'chat_message_sent' as const },
          ...{ outcome: 'succeeded' as const, detail: '{}', ...row },
        })),
      )
      .execute();
  // Three events share each timestamp, so only their ids order them.
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: randomUUID(),
    created_at: timeAt(Math.floor(index / 3)),
  }));
  await insert(rows);
  const listedIds: string[] = [];
  for (let after: string | null = null, pages = 0; pages === 0 || after !== null; pages += 1) {
    const query: string = after ? `&after=${after}` : '';
    const page = await readEventPage(`?limit=7${query}`);
    listedIds.push(...page.events.map(({ id }) => id));
    after = page.next;
    expect(pages).toBeLessThan(6);
    await insert([{ id: randomUUID(), created_at: timeAt(60) }]);
  }
  const expected = rows
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  expect(listedIds).toEqual(expected);
});

it("list-events accepts only the account's own events as a cursor", async () => {
  const otherAccount = await server.createNamedAccount('somebody-else');
  const otherEventId = (await readEventPage('', otherAccount)).events[0]!.id;
  const twoCursors = `${otherEventId}&after=${otherEventId}`;
  for (const after of [otherEventId, randomUUID(), 'x', '', twoCursors])
    expect(await listEvents(`?after=${after}`)).toEqual(
      errorText(400, 'after must be the id of one of your events.'),
    );
});

it('list-events pages through the events of one type', async () => {
  const types = ['page_changed', 'key_created', 'page_visibility_changed', 'logged_in'] as const;
  for (const type of [...types, ...types]) {
    const event = { accountId: account.id, type, outcome: 'succeeded', detail: {} } as const;
    await insertEvent(server.db, event);
  }
  const typesOf = ({ events }: ListEventsResponse) => events.map(({ type }) => type);
  const firstPage = await readEventPage('?type=page&limit=3');
  expect(typesOf(firstPage)).toEqual(['page_visibility_changed', 'page_changed', types[2]]);
  const secondPage = await readEventPage(`?type=page&limit=3&after=${firstPage.next}`);
  expect([typesOf(secondPage), secondPage.next]).toEqual([['page_changed'], null]);
  expect(typesOf(await readEventPage('?type=mail'))).toEqual([]);
  expect(await listEvents('?type=other')).toEqual(
    errorText(
      400,
      'type must be one of page, login, key, mail, chat, alert, connection, account, server.',
    ),
  );
});

/**
 * Returns type, summary and detail of the account's events, oldest first. Expects all but failed
 * logins to have succeeded.
 */
async function readEvents() {
  const { events } = await readEventPage('?limit=200');
  return events.toReversed().map(({ type, summary, outcome, detail }) => {
    if (outcome !== 'succeeded') expect([type, outcome]).toEqual(['login_failed', 'failed']);
    return [type, summary, detail];
  });
}

interface SessionWithHeaders {
  headers: Record<string, string>;
  id: string;
}

/** Logs in with a User-Agent header. */
async function startSession(credentials: object): Promise<SessionWithHeaders> {
  const headers = { ...SAME_ORIGIN_HEADERS, 'user-agent': AGENT };
  const response = await createSession(server, credentials, headers);
  expect(response.status).toBe(200);
  const { session } = response.body as { session: { id: string } };
  return {
    id: session.id,
    headers: sessionHeaders(response),
  };
}

async function callOwnerApi(path: string, headers: Record<string, string>, json?: object) {
  const response = await postFromPage(server, `/owner/${path}`, json, headers);
  expect([path, response.status]).toEqual([path, 200]);
  return response.body as Record<string, never>;
}

it('events about access include logins by every method, logouts and ended sessions', async () => {
  const by = account.key.split('.')[0];
  const link = await createLoginLinkToken(server, account.id);
  const { id: session_id, headers } = await startSession({ login_url: link });
  const keySession = await startSession({ api_key: account.key });
  await callOwnerApi('sessions/revoke-session', headers, { session_id: keySession.id });
  await callOwnerApi('sessions/revoke-current-session', headers);
  await startSession({ login_url: await createLoginLinkToken(server, account.id) });
  await callOwnerApi('sessions/revoke-all-sessions', account.headers);
  await callOwnerApi('sessions/revoke-all-sessions', account.headers);
  const login = { via: 'link', agent: AGENT };
  const keyLogin = { session_id: keySession.id, via: 'key', key_id: by, agent: AGENT };
  const summary = `All sessions ended (1 session) by an unnamed key`;
  expect(await readEvents()).toEqual([
    ['logged_in', 'Signed in with a link', { ...login, session_id }],
    ['logged_in', 'Signed in with an unnamed key', keyLogin],
    ['session_ended', 'Session ended', { session_id: keySession.id, by: session_id }],
    ['logged_out', 'Signed out', { session_id, by: session_id }],
    ['logged_in', 'Signed in with a link', { ...login, session_id: expect.any(String) }],
    ['sessions_ended', summary, { sessions: 1, by }],
  ]);
});

it('events about access include created and revoked keys, each once', async () => {
  const by = account.key.split('.')[0];
  const settings = { label: 'status page', scope: 'metrics' } as const;
  const { keys } = account.owner;
  const { id: key_id } = (await keys.createKey(settings)).key;
  for (const _ of [1, 2]) await keys.revokeKey({ key_id });
  const created = `Key “status page” created for sending metrics only by an unnamed key`;
  const revoked = `Key “status page” revoked by an unnamed key`;
  expect(await readEvents()).toEqual([
    ['key_created', created, { key_id, ...settings, by }],
    ['key_revoked', revoked, { key_id, label: 'status page', by }],
  ]);
});

it('events about access include keys that are deleted with their project', async () => {
  const { keys, projects } = account.owner;
  const project_id = await server.createProject(account);
  const settings = { scope: 'metrics', project_id } as const;
  const { id: key_id } = (await keys.createKey({ label: 'sensor', ...settings })).key;
  const { id: revokedId } = (await keys.createKey(settings)).key;
  await keys.revokeKey({ key_id: revokedId });
  await projects.deleteProject({ project_id });
  const events = await readEvents();
  const by = account.key.split('.')[0];
  const summary = `Key “sensor” revoked by an unnamed key`;
  expect(events.at(-1)).toEqual(['key_revoked', summary, { key_id, label: 'sensor', by }]);
  expect(events.filter(([type]) => type === 'key_revoked')).toHaveLength(2);
});

it('events about access include created, used and removed passkeys', async () => {
  const authenticator = new Authenticator(ORIGIN);
  const created = await callOwnerApi('passkeys/create-passkey-options', account.headers);
  const response = authenticator.create(created['options']!);
  await callOwnerApi('passkeys/create-passkey', account.headers, {
    answer: response,
    label: 'Phone',
  });
  const options = await callOwnerApi('passkeys/create-passkey-login-options', SAME_ORIGIN_HEADERS);
  await callOwnerApi('passkeys/create-passkey-session', SAME_ORIGIN_HEADERS, {
    answer: authenticator.get(options['options']!),
  });
  const passkey_id = authenticator.id;
  await callOwnerApi('passkeys/delete-passkey', account.headers, { passkey_id });
  const by = account.key.split('.')[0];
  const detail = { passkey_id, label: 'Phone', by };
  const login = expect.objectContaining({ via: 'passkey', passkey_id }) as object;
  expect(await readEvents()).toEqual([
    ['passkey_added', `Passkey “Phone” added by an unnamed key`, detail],
    ['logged_in', 'Signed in with a passkey', login],
    ['passkey_removed', `Passkey “Phone” removed by an unnamed key`, detail],
  ]);
});

it("events about access include refused logins with one of the account's keys, once in ten minutes", async () => {
  const failures = async () => (await readEvents()).filter(([type]) => type === 'login_failed');
  const failLoginRepeatedly = async (
    key: { id: string; api_key: string },
    status: 401 | 403,
    total: number,
  ) => {
    const response = await createSession(server, { api_key: key.api_key });
    expect(response.status).toBe(status);
    await eventually(failures, (loginFailures) => loginFailures.length === total);
    const refusedLogin = { keyId: key.id, reason: 'secretWrong' };
    const logRefusedLogin = () =>
      server.db.transaction().execute((trx) => insertFailedLogin(trx, refusedLogin));
    await Promise.all([logRefusedLogin(), logRefusedLogin(), logRefusedLogin()]);
  };
  const createKey = async (scope: 'read' | 'all') => {
    const { key, api_key } = await account.owner.keys.createKey({ scope });
    return { api_key: api_key!, id: key.id };
  };
  const [readOnlyKey, revokedKey] = [await createKey('read'), await createKey('all')];
  await callOwnerApi('keys/revoke-key', account.headers, { key_id: revokedKey.id });
  expect((await createSession(server, { api_key: 'np_unknown' })).status).toBe(401);
  await failLoginRepeatedly(readOnlyKey, 403, 1);
  await failLoginRepeatedly(revokedKey, 401, 2);
  await server.sql`UPDATE events SET created_at = created_at - interval '11 minutes'
      WHERE account_id = ${account.id}`;
  await failLoginRepeatedly(revokedKey, 401, 3);
  const failedLogin = ({ id }: { id: string }, reason: string, summary: string) => [
    'login_failed',
    `Sign-in with an unnamed key refused: ${summary}`,
    { via: 'key', key_id: id, reason },
  ];
  expect(await failures()).toEqual([
    failedLogin(readOnlyKey, 'insufficientScope', 'it does not have full access'),
    failedLogin(revokedKey, 'keyRevoked', 'it is revoked'),
    failedLogin(revokedKey, 'keyRevoked', 'it is revoked'),
  ]);
});

it('events about access include changes of forwarding, without the address', async () => {
  const { emailForwarding } = account.client;
  await account.client.account.updateDisplayName({ display_name: 'mail-trail' });
  const email = 'jane.hidden@example.com';
  const other = { enabled: false, email: 'other.hidden@example.com' };
  for (const body of [{ enabled: true, email }, { enabled: true }, { enabled: false }, other])
    await emailForwarding.emailForwardingToggle(body);
  const by = account.key.split('.')[0];
  const [, ...changes] = await readEvents();
  const turnedOn = `Email forwarding turned on with a new destination by an unnamed key`;
  const turnedOff = `Email forwarding turned off by an unnamed key`;
  const changed = `Email address without forwarding changed by an unnamed key`;
  expect(changes).toEqual([
    ['forwarding_updated', turnedOn, { enabled: true, destination_changed: true, by }],
    ['forwarding_updated', turnedOff, { enabled: false, destination_changed: false, by }],
    ['forwarding_updated', changed, { enabled: false, destination_changed: true, by }],
  ]);
});

it('events about access include changes of the site, once in ten minutes per key, and of its visibility', async () => {
  const { site } = account.client;
  for (const bio of ['One.', 'One.', 'Two.', 'Three.']) await site.updateSiteConfiguration({ bio });
  await site.toggleSiteVisibility();
  await site.toggleSiteVisibility();
  const keyId = account.key.split('.')[0];
  const readSummaries = async () =>
    (await readEventPage()).events.map(({ summary, detail }) => [summary, detail]);
  const before = [
    [`Page hidden by an unnamed key`, { enabled: false, by: keyId }],
    [`Page published by an unnamed key`, { enabled: true, by: keyId }],
    [`Page changed by an unnamed key`, { by: keyId }],
  ];
  expect(await readSummaries()).toEqual(before);
  await server.sql`UPDATE events SET created_at = created_at - interval '11 minutes'
      WHERE account_id = ${account.id}`;
  await site.updateSiteConfiguration({ bio: 'Three.' });
  await site.updateSiteConfiguration({ bio: 'Four.' });
  expect(await readSummaries()).toEqual([before[2], ...before]);
});

it('events about access name a key by its label', async () => {
  const postWithKey = (path: string, json: object, key = account.key) =>
    call(server.app, { method: 'POST', path: `/owner/${path}`, json, key });
  const { body } = await postWithKey('keys/create-key', { label: 'first key' });
  const { api_key } = body as { api_key: string };
  await postWithKey('sessions/revoke-all-sessions', {}, api_key);
  await postWithKey('page/update-page', { version: 0, bio: 'Hello.' }, api_key);
  const summaries = (await readEvents()).map(([, summary]) => String(summary));
  expect(summaries).toContain('Page changed by the key “first key”');
  expect(summaries.some((summary) => summary.startsWith('Key “first key” created'))).toBe(true);
  expect(summaries.join()).not.toContain(api_key.split('.')[0]);
});

it('events about access are in German for a German page of this server, and in English for API callers', async () => {
  await account.client.site.updateSiteConfiguration({ bio: 'One.' });
  const read = async (headers: Record<string, string>) => {
    const { body } = await call(server.app, {
      path: '/owner/events/list-events',
      headers: { ...account.headers, ...headers, 'accept-language': 'de' },
    });
    return (body as ListEventsResponse).events[0];
  };
  const key = account.key.split('.')[0];
  expect(await read({})).toMatchObject({
    ...{ summary: `Page changed by an unnamed key`, action: 'Page changed', key_label: key },
  });
  expect(await read(SAME_ORIGIN_HEADERS)).toMatchObject({
    ...{
      summary: `Seite geändert (mit einem API-Schlüssel ohne Namen)`,
      action: 'Seite geändert',
    },
  });
});
