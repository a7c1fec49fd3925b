import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveFailedBackup } from '#db/queries/last-backup.ts';
import { findUsage } from '#db/queries/usage.ts';
import { call, type TestResponse, send } from '../support/call.ts';
import { addReport, createOperator, makeOperator, ownerEndpoints } from '../support/endpoints.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import { addPicture, createImage, uploadPicture } from '../support/pictures.ts';
import { createPage } from '../support/publish-page.ts';
import { finishDeletions } from '../support/run-jobs.ts';
import { createSession, logIn, sessionHeaders, postFromPage } from '../support/session.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account: operator } = useServer({ account: true });
let session: Record<string, string>;
/** A key of the operator with the scope `all`, and a session that it started. */
let fullAccess: [{ key: string }, { headers: Record<string, string> }];
beforeAll(async () => {
  await makeOperator(server, operator);
  await operator.client.account.updateDisplayName({ display_name: 'op-one' });
  session = await logIn(server, operator.id);
  const { body } = await send(server, operator, 'POST /owner/keys/create-key', {});
  const { api_key: key } = body as { api_key: string };
  const headers = sessionHeaders(await createSession(server, { api_key: key }));
  fullAccess = [{ key }, { headers }];
});

const endpoints = ownerEndpoints.filter(({ isForOperators }) => isForOperators);

const get = (path: string, headers = session) =>
  call(server.app, { path: `/owner/${path}`, headers });

const post = (path: string, json: unknown, headers = session) =>
  postFromPage(server, `/owner/${path}`, json, headers);

/** A response without the headers that differ between requests. */
function withoutVariableHeaders({ status, headers, text }: TestResponse) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

/** The audit entries about an account, newest first, without times. */
async function readAuditTrail(account_id: string) {
  const { entries } = await operator.owner.server.listAuditEntries({ account_id });
  return entries.map(({ action, who, via, detail }) => ({ action, who, via, detail }));
}

const operatorName = () => `@op-one ${operator.id}`;

describe.each(endpoints)('$method $path', ({ method, name, path }) => {
  it(`${method} ${path} responds like an unknown path to callers who are not operators`, async () => {
    const stranger = await server.createAccount();
    await server.sql`UPDATE api_keys SET scope = 'operator'
      WHERE account_id = ${stranger.id}`;
    const notFoundResponse = withoutVariableHeaders(
      await call(server.app, {
        method,
        path: path.replace(/[^/]*$/, 'nothing'),
        key: stranger.key,
      }),
    );
    expect(notFoundResponse.status).toBe(404);
    const cookie = await logIn(server, stranger.id);
    for (const headers of [cookie, stranger.headers])
      for (const payload of method === 'GET' ? [undefined] : [undefined, '{"broken', '{}'])
        for (const query of ['', `?account_id=${operator.id}`, '?limit=x']) {
          const response = await call(server.app, { method, path: path + query, headers, payload });
          expect(withoutVariableHeaders(response)).toEqual(notFoundResponse);
        }
  });

  it(`${method} ${path} requires the scope operator, for a key and for a session it started`, async () => {
    for (const request of fullAccess)
      expect(await call(server.app, { method, path, ...request })).toMatchObject(
        errorText(403, 'This key may not do that: its scope is all, not operator.'),
      );
    const response = await call(server.app, { method, path, key: operator.key });
    expect(name === 'exportMailSettings' ? [403] : [200, 400, 409]).toContain(response.status);
  });
});

it.each([
  ['/owner/keys/create-key', { scope: 'operator' }, 'operatorScopeForbidden'],
  ['/owner/passkeys/create-passkey-options', undefined, 'insufficientScope'],
] as const)(
  "an operator's key without the operator scope cannot gain rights with POST %s, nor can its session",
  async (path, json, code) => {
    const request = { method: 'POST', path, json } as const;
    for (const caller of fullAccess)
      expect(await call(server.app, { ...request, ...caller })).toMatchObject(errorCode(403, code));
    for (const headers of [session, operator.headers])
      expect(await call(server.app, { ...request, headers })).toMatchObject({ status: 200 });
  },
);

it('only operators can create a key with the scope `operator`', async () => {
  const headers = await logIn(server, (await server.createAccount()).id);
  expect(
    await postFromPage(server, '/owner/keys/create-key', { scope: 'operator' }, headers),
  ).toMatchObject(errorCode(403, 'operatorScopeForbidden'));
});

it('the current account includes whether it is an operator, open reports and a failing server', async () => {
  await server.db.transaction().execute((trx) => saveFailedBackup(trx, 'space'));
  await addReport(server, await server.createAccount());
  const path = '/owner/sessions/get-session';
  const rows = await server.sql<{ open: number }>`
    SELECT count(*)::int AS open FROM reports WHERE closed_at IS NULL`;
  expect(await call(server.app, { path, headers: session })).toMatchObject({
    body: {
      operator: true,
      to_do: [
        { code: 'reportsOpen', count: rows[0]!.open },
        { code: 'backupFailed', level: 'warning', count: null },
      ],
      open_reports: rows[0]?.open,
      server_failing: 'backup',
    },
  });
  const byKey = await call(server.app, { path, key: operator.key });
  expect(byKey.body).toMatchObject({ operator: true });
  const stranger = await server.createAccount();
  for (const { key } of [stranger, fullAccess[0]])
    expect(await call(server.app, { path, key })).toMatchObject({
      body: { operator: false, to_do: [], open_reports: null, server_failing: null },
    });
});

it.each([
  ['members/list-members', 'members', sql`SELECT id FROM accounts`],
  ['server/list-audit-entries', 'entries', sql`SELECT id FROM audit_log`],
  ['reports/list-reports', 'reports', sql`SELECT id FROM reports WHERE closed_at IS NULL`],
  ['invitations/list-invitations', 'invitations', sql`SELECT id FROM invitations`],
])('%s returns pages, newest first, each row once', async (path, field, rowIds) => {
  for (let count = 0; count < 3; count += 1) {
    await addReport(server, await server.createAccount());
    await post('invitations/create-invitation-link', {});
  }
  const listedIds: string[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { body } = await get(`${path}?limit=2${after && `&after=${after}`}`);
    const page = body as Record<string, Record<string, string>[]> & { next: string | null };
    listedIds.push(...page[field]!.map((row) => row['id']!));
    after = page.next;
  }
  const rows = await server.sql<{ id: string }>`${rowIds} ORDER BY created_at DESC, id DESC`;
  expect(listedIds).toEqual(rows.map(({ id }) => id));
});

const listMembers = async (query: string) => {
  const { status, body } = await get(`members/list-members?${query}`);
  expect(status).toBe(200);
  return body as { members: { id: string; display_name: string }[]; next: string };
};

it('accounts are found by id, by a part of the name or title, and by address, and have name and picture', async () => {
  const account = await server.createNamedAccount('find-me');
  await server.createNamedAccount('find-me-too');
  await server.createNamedAccount('dont-find-me');
  const forwardingSettings = { enabled: true, email: 'Potter@Example.org' };
  await account.client.emailForwarding.emailForwardingToggle(forwardingSettings);
  const findNames = async (search: string) =>
    (await listMembers(`search=${encodeURIComponent(search)}`)).members.map(
      ({ display_name }) => display_name,
    );
  const { url: avatar_url } = await addPicture(server, account);
  const site = { display_name: 'Jürgen Löwe', avatar_url };
  await account.client.site.updateSiteConfiguration(site);
  expect(await findNames('find')).toEqual(['dont-find-me', 'find-me-too', 'find-me']);
  for (const search of ['LÖwe', 'Lo\u0308we', 'lowe'])
    expect((await listMembers(`search=${encodeURIComponent(search)}`)).members).toMatchObject([
      { display_name: 'find-me', page_title: 'Jürgen Löwe', avatar_url },
    ]);
  for (const title of ['Mu\u0308ller Işıl', 'MÜLLER IŞIL', 'müller ışıl', 'Müller İşil']) {
    await account.client.site.updateSiteConfiguration({ display_name: title });
    for (const search of ['müller', 'Mu\u0308LLER', 'ışıl', 'Işıl', 'işil'])
      expect([title, search, await findNames(search)]).toEqual([title, search, ['find-me']]);
  }
  expect(await findNames(' @Find-Me-T')).toEqual(['find-me-too']);
  expect(await findNames(account.id.toUpperCase())).toEqual(['find-me']);
  expect(await findNames('potter@example.ORG')).toEqual(['find-me']);
  for (const search of [randomUUID(), 'nobody@example.org', '%', '_', "'", 'a'.repeat(254)])
    expect([search, await findNames(search)]).toEqual([search, []]);
  const { next } = await listMembers('search=find&limit=2');
  const { members } = await listMembers(`search=find&limit=2&after=${next}`);
  expect(members.map(({ display_name }) => display_name)).toEqual(['find-me']);
  for (const after of ['x', randomUUID()])
    expect(await get(`members/list-members?after=${after}`)).toMatchObject(
      errorText(400, 'after must be the id of an account.'),
    );
});

it('accounts are found by the sign-up address, even if mail is forwarded to another one', async () => {
  const { id, client } = await server.createNamedAccount('signed-up');
  await server.sql`UPDATE forwarding_settings SET login_email = 'Signed.Up@example.org'
      WHERE account_id = ${id}`;
  const searchByEmail = async (email: string) =>
    (await listMembers(`search=${encodeURIComponent(email)}`)).members;
  const account = { id, email: 'Signed.Up@example.org' };
  expect(await searchByEmail('signed.up@EXAMPLE.org')).toMatchObject([account]);
  expect(await get(`members/get-member?account_id=${id}`)).toMatchObject({
    body: { member: account },
  });
  const elsewhere = { email: 'elsewhere@example.org' };
  await client.emailForwarding.emailForwardingToggle({ enabled: true, ...elsewhere });
  for (const email of ['signed.up@example.org', 'elsewhere@example.org'])
    expect(await searchByEmail(email)).toMatchObject([{ ...account, ...elsewhere }]);
  await server.sql`INSERT INTO pending_emails
      VALUES (${id}, 'Waits@example.org', true, 'all', 'operator', now() + interval '1 day')`;
  expect(await searchByEmail('waits@example.org')).toMatchObject([
    { ...account, ...elsewhere, pending_email: 'Waits@example.org' },
  ]);
});

it('accounts are shown with usage and limits; 404 if there is no such account', async () => {
  const account = await server.createNamedAccount('used');
  await server.createProject(account);
  expect(await get(`members/get-member?account_id=${account.id}`)).toMatchObject(
    okBody({
      member: { id: account.id, display_name: 'used', state: 'active', operator: false },
      usage: expect.arrayContaining([
        { kind: 'projects', used: 1, allowed: null },
        { kind: 'keys', used: 1, allowed: null },
      ]),
    }),
  );
  expect(await get(`members/get-member?account_id=${randomUUID()}`)).toMatchObject(
    errorText(404, 'There is no such account.'),
  );
});

it('accounts use what they stored that day, responses of the day before, and names in quarantine', async () => {
  const account = await server.createAccount();
  const { id } = account;
  const { bytes } = await addPicture(server, account);
  await server.sql`INSERT INTO events (account_id, type, outcome)
      VALUES (${id}, 'page_changed', 'succeeded')`;
  await server.sql`INSERT INTO daily_usage
        (account_id, day, metric_bytes, response_bytes, name_changes)
      VALUES (${id}, '2020-06-13', 1, 1, 1), (${id}, '2020-06-14', 20, 20, 2),
        (${id}, '2020-06-15', 300, 300, 3)`;
  await server.sql`INSERT INTO display_names (name, last_account_id, was_visible, released_at)
      VALUES ('in-quarantine', ${id}, true, now()), ('there-too', ${id}, true, now()),
        ('free-again', ${id}, true, '2020-01-01')`;
  const query = { accountId: id, day: '2020-06-15', quarantineDays: 30 };
  expect(await findUsage(server.db, query)).toEqual({
    ...{ metric_bytes_today: 300, response_bytes: 320, name_changes_today: 3 },
    ...{ picture_bytes: bytes, events: 1, projects: 0, keys: 1, names_held_back: 2 },
  });
});

it('an account keeps working while an operator hides only its page', async () => {
  const { id, key, client } = (await createPage(server, {}, 'page-only')).account;
  const getStatus = async () => (await server.app.inject('/@page-only')).statusCode;
  const body = { account_id: id, reason: 'Stolen pictures', page_only: true };
  expect(await post('members/suspend-member', body)).toMatchObject(
    okBody({ member: { state: 'active', page_suspended: true, page_visible: false } }),
  );
  expect(await getStatus()).toBe(404);
  expect(await client.site.getSiteStatus()).toEqual({ enabled: false });
  expect(
    await send(server, { key }, 'POST /owner/page/update-page-visibility', { visible: true }),
  ).toMatchObject(
    errorText(409, 'An operator has hidden this page. Ask the operator of the service.'),
  );
  // Refused in effect: the page is as its owner had it once it is resumed, and its name, too.
  await server.sql`UPDATE display_names SET was_visible = false WHERE account_id = ${id}`;
  expect(await client.site.toggleSiteVisibility()).toMatchObject({ newStatus: false });
  expect(await server.sql`SELECT was_visible FROM display_names WHERE account_id = ${id}`).toEqual([
    { was_visible: false },
  ]);
  expect(await call(server.app, { path: '/owner/sessions/get-session', key })).toMatchObject({
    body: { page_suspension_reason: body.reason },
  });
  const hidden = { id, page_suspended: true, suspension_reason: body.reason };
  expect((await get('members/list-members?state=suspended')).body).toMatchObject({
    members: [hidden],
  });
  expect((await get('server/get-server')).body).toMatchObject({ accounts: { suspended: 1 } });
  expect(await post('members/resume-member', { account_id: id })).toMatchObject({
    body: { member: { page_suspended: false, page_visible: true } },
  });
  expect(await getStatus()).toBe(200);
  expect(await readAuditTrail(id)).toMatchObject([
    { action: 'members.resumeMember', detail: { page_only: true } },
    { action: 'members.suspendMember', detail: { reason: body.reason, page_only: true } },
  ]);
});

it('an account is suspended with a reason and resumed; the audit trail names the operator', async () => {
  const { account } = await createPage(server, {}, 'phisher');
  const ownerSession = await logIn(server, account.id);
  const reason = 'Phishing, reported three times';
  expect(await post('members/suspend-member', { account_id: account.id, reason })).toMatchObject(
    okBody({ member: { state: 'suspended', suspension_reason: reason, page_visible: false } }),
  );
  expect((await server.app.inject('/@phisher')).statusCode).toBe(404);
  const path = '/owner/sessions/get-session';
  expect((await call(server.app, { path, key: account.key })).status).toBe(403);
  expect((await call(server.app, { path, headers: ownerSession })).status).toBe(401);
  const { body } = await get('members/list-members?state=suspended');
  expect(body).toMatchObject({ members: [{ id: account.id }], next: null });
  expect(await post('members/resume-member', { account_id: account.id })).toMatchObject(
    okBody({ member: { state: 'active', suspension_reason: null, page_visible: true } }),
  );
  expect((await call(server.app, { path, key: account.key })).status).toBe(200);
  expect(await readAuditTrail(account.id)).toEqual([
    { action: 'members.resumeMember', who: operatorName(), via: 'operator', detail: {} },
    { action: 'members.suspendMember', who: operatorName(), via: 'operator', detail: { reason } },
  ]);
  await post('members/resume-member', { account_id: account.id });
  // The reason is in the mail to the owner, not in the events.
  const events = await call(server.app, { path: '/owner/events/list-events', key: account.key });
  expect(events.text).toMatch(/account_resumed.*account_suspended/);
  expect(events.text.match(/"account_resumed"/g)).toHaveLength(1);
  expect(events.text).not.toContain('Phishing');
});

it('a hidden page that an operator suspends and resumes is no event, and a page for members is shown to them', async () => {
  const { account } = await createPage(server, {}, 'shown-to-whom');
  const { id: account_id, key } = account;
  for (const [visible, members] of [
    [false, false],
    [false, true],
  ]) {
    const body = { visible, members };
    await send(server, { key }, 'POST /owner/page/update-page-visibility', body);
    await post('members/suspend-member', { account_id, reason: 'Spam', page_only: true });
    await post('members/resume-member', { account_id });
  }
  const events = await server.sql<{
    detail: unknown;
  }>`SELECT detail FROM events WHERE account_id = ${account_id}
    AND type = 'page_visibility_changed' AND detail->>'by' = 'operator' ORDER BY created_at`;
  expect(events.map(({ detail }) => detail)).toEqual([
    { enabled: false, by: 'operator' },
    { enabled: false, members: true, by: 'operator' },
  ]);
});

it('an account that is resumed keeps its page hidden if it was hidden before, and its reports closed', async () => {
  const { account } = await createPage(server, {}, 'hidden-first');
  const { id: account_id } = account;
  await addReport(server, account);
  await post('members/suspend-member', {
    account_id,
    reason: 'Stolen pictures',
    page_only: true,
  });
  await addReport(server, account);
  await post('members/suspend-member', { account_id, reason: 'Spam' });
  expect(await post('members/resume-member', { account_id })).toMatchObject(
    okBody({ member: { state: 'active', page_suspended: true, open_reports: 0 } }),
  );
  expect((await server.app.inject('/@hidden-first')).statusCode).toBe(404);
  expect(await post('members/resume-member', { account_id })).toMatchObject(
    okBody({ member: { page_suspended: false, page_visible: true, open_reports: 0 } }),
  );
  expect(await readAuditTrail(account_id)).toMatchObject([
    { action: 'members.resumeMember', detail: { page_only: true } },
    { action: 'members.resumeMember', detail: {} },
    { action: 'members.suspendMember' },
    { action: 'members.suspendMember', detail: { page_only: true } },
  ]);
});

it("an account can be logged in to with an operator's login link, which the audit trail does not contain", async () => {
  const { id } = await server.createNamedAccount('locked-out');
  const { status, body } = await post('members/create-login-link', { account_id: id });
  expect(status).toBe(200);
  const { login_url } = body as { login_url: string };
  expect(login_url).toMatch(/\/dashboard\/login#[\w-]{43}\/locked-out$/);
  await server.sql`UPDATE login_links SET expires_at = expires_at - interval '50 minutes'`;
  expect(await createSession(server, { login_url })).toMatchObject(okBody({ account_id: id }));
  expect(await createSession(server, { login_url })).toMatchObject({ status: 401 });
  expect(await readAuditTrail(id)).toEqual([
    { action: 'members.createLoginLink', who: operatorName(), via: 'operator', detail: {} },
  ]);
});

it('an account is renamed by an operator without a limit, but by the same naming rules', async () => {
  const { account } = await createPage(server, {}, 'old-name');
  const rename = (display_name: string) =>
    post('members/update-member-name', { account_id: account.id, display_name, redirect: true });
  for (let count = 1; count <= 11; count += 1)
    expect((await rename(`New Name ${count}`)).body).toMatchObject({
      member: { display_name: `new-name-${count}` },
    });
  expect(await rename('op-one')).toMatchObject({ status: 409 });
  expect((await readAuditTrail(account.id))[0]).toMatchObject({
    ...{
      action: 'members.updateMemberName',
      who: operatorName(),
      detail: { from: 'new-name-10' },
    },
  });
  expect((await server.app.inject('/@new-name-10')).headers).toMatchObject({
    location: expect.stringContaining('/@new-name-11') as string,
  });
});

it('an account is deleted by an operator: access ends immediately, the data is deleted soon after', async () => {
  const { id, key } = await server.createNamedAccount('gone-soon');
  expect(await post('members/delete-member', { account_id: id.toUpperCase() })).toMatchObject(
    okBody({ success: true }),
  );
  const path = '/account/get-display-name';
  expect((await call(server.app, { path, key })).status).toBe(401);
  await finishDeletions(server.database);
  expect((await get(`members/get-member?account_id=${id}`)).status).toBe(404);
  expect(await readAuditTrail(id)).toEqual([
    { action: 'members.deleteMember', who: operatorName(), via: 'operator', detail: {} },
  ]);
});

it('an account shows its quarantined display names, which an operator can release', async () => {
  const account = await server.createNamedAccount('first-name');
  await account.client.site.toggleSiteVisibility();
  await account.client.account.updateDisplayName({ display_name: 'second-name' });
  const listHeldNames = async () => {
    const { body } = await get(`members/get-member?account_id=${account.id}`);
    return (body as { held_names: unknown }).held_names;
  };
  expect(await listHeldNames()).toEqual([
    { display_name: 'first-name', free_at: expect.stringMatching(/Z$/) as string },
  ]);
  const deleteHeldName = () => post('members/delete-held-name', { display_name: 'first-name' });
  const setForwarded = (was_forwarded: boolean) =>
    server.sql`UPDATE display_names SET was_forwarded = ${was_forwarded}, alias_removed_at = NULL WHERE name = 'first-name'`;
  await setForwarded(true);
  expect(await deleteHeldName()).toMatchObject(errorCode(409, 'aliasLeft'));
  await setForwarded(false);
  expect(await deleteHeldName()).toMatchObject({ status: 200 });
  expect(await listHeldNames()).toEqual([]);
  expect(await deleteHeldName()).toMatchObject(
    errorText(404, 'The name first-name is not held back.'),
  );
  for (const display_name of ['', ' !'])
    expect(await post('members/delete-held-name', { display_name })).toMatchObject(
      errorText(400, 'display_name must be a display name.'),
    );
  expect((await readAuditTrail(account.id))[0]).toMatchObject({
    action: 'members.deleteHeldName',
  });
  await server.createNamedAccount('first-name');
});

it('an account of an operator cannot be changed by operators', async () => {
  const other = await server.createNamedAccount('op-two');
  await other.client.site.toggleSiteVisibility();
  await other.client.account.updateDisplayName({ display_name: 'op-two-now' });
  await makeOperator(server, other);
  const error = 'Operators’ accounts cannot be changed. Make the account a member first.';
  for (const id of [operator.id, operator.id.toUpperCase(), other.id])
    for (const [path, json] of [
      ['members/suspend-member', { account_id: id, reason: 'Revenge' }],
      ['members/update-member-name', { account_id: id, display_name: 'op-three' }],
      ['members/delete-member', { account_id: id }],
      ['members/delete-held-name', { display_name: 'op-two' }],
    ] as const)
      expect(await post(path, json)).toMatchObject({ status: 409, body: { error } });
  expect(await readAuditTrail(operator.id)).toEqual([]);
  expect((await get('members/list-members')).status).toBe(200);
  // An operator who lost every way in comes back by a link of another.
  const { body } = await post('members/create-login-link', { account_id: other.id });
  const [, link] = (body as { login_url: string }).login_url.split('#');
  expect((await createSession(server, { login_url: link })).status).toBe(200);
  expect((await readAuditTrail(other.id))[0]).toMatchObject({
    action: 'members.createLoginLink',
  });
});

it('an account can store as many pictures as an operator allows, in place of the limit of the server', async () => {
  const limited = await openTestApp({ allowances: { pictureByteLimit: 1 } });
  const account = await limited.createAccount();
  const limitedOperator = await createOperator(limited);
  const headers = await logIn(limited, limitedOperator.id);
  const setLimit = async (picture_limit_mb: number | null) => {
    const json = { account_id: account.id, picture_limit_mb };
    const path = '/owner/members/update-picture-limit';
    expect(await postFromPage(limited, path, json, headers)).toMatchObject(
      okBody({ member: { picture_limit_mb } }),
    );
  };
  const readLimits = async () => {
    const { usage } = await limitedOperator.owner.members.getMember({ account_id: account.id });
    const { limit } = await account.owner.pictures.listPictures();
    return [usage.find(({ kind }) => kind === 'picture_bytes')!.allowed, limit];
  };
  const picture = await createImage().jpeg().toBuffer();
  expect(await readLimits()).toEqual([1, 1]);
  expect((await uploadPicture(limited, account, picture)).status).toBe(400);
  await setLimit(1);
  expect(await readLimits()).toEqual([1_000_000, 1_000_000]);
  expect((await uploadPicture(limited, account, picture)).status).toBe(200);
  await setLimit(null);
  expect(await readLimits()).toEqual([1, 1]);
  expect(
    await limited.sql`SELECT action, detail FROM audit_log ORDER BY created_at DESC LIMIT 1`,
  ).toEqual([{ action: 'members.updatePictureLimit', detail: { picture_limit_mb: null } }]);
});

it('an account that does not exist is refused without an audit entry', async () => {
  const accountId = randomUUID();
  for (const [path, json] of [
    ['members/suspend-member', { account_id: accountId, reason: 'x' }],
    ['members/resume-member', { account_id: accountId }],
    ['members/create-login-link', { account_id: accountId }],
    ['members/update-member-name', { account_id: accountId, display_name: 'nobody' }],
    ['members/delete-member', { account_id: accountId }],
  ] as const)
    expect(await post(path, json)).toMatchObject({ status: 404 });
  expect(await readAuditTrail(accountId)).toEqual([]);
});

const listReports = async (query: string) =>
  ((await get(`reports/list-reports?${query}`)).body as { reports: object[] }).reports;

it('reports are closed by suspending the account, which a dismissal does not change', async () => {
  const account = await server.createNamedAccount('reported-three');
  const dismissed = await addReport(server, account);
  await post('reports/close-reports', { report_ids: [dismissed] });
  const report_id = await addReport(server, account);
  await post('members/suspend-member', { account_id: account.id, reason: 'Spam' });
  await post('reports/close-reports', { report_ids: [report_id] });
  expect(await listReports(`account_id=${account.id}`)).toEqual([]);
  expect(
    await server.sql`SELECT id, outcome FROM reports WHERE account_id = ${account.id}
        ORDER BY created_at DESC`,
  ).toEqual([
    { id: report_id, outcome: 'suspended' },
    { id: dismissed, outcome: 'dismissed' },
  ]);
  await addReport(server, account);
  expect(await listReports(`account_id=${account.id}`)).toMatchObject([
    { account_suspended: true, page_suspended: false },
  ]);
});

it('reports are listed by account, and closed with an audit entry', async () => {
  const firstAccount = await server.createNamedAccount('reported-one');
  const { id } = firstAccount;
  const first = await addReport(server, firstAccount);
  await addReport(server, await server.createAccount());
  expect(await listReports(`account_id=${id}`)).toMatchObject([
    { id: first, account_id: id, display_name: 'reported-one', reason: 'other', count: 1 },
  ]);
  expect(await get(`members/get-member?account_id=${id}`)).toMatchObject({
    body: { member: { open_reports: 1 } },
  });
  const closeRequest = { report_ids: [first, randomUUID()] };
  expect(await post('reports/close-reports', closeRequest)).toMatchObject(okBody({ closed: 1 }));
  expect(await listReports(`account_id=${id}`)).toEqual([]);
  expect(await readAuditTrail(id)).toEqual([
    {
      action: 'reports.closeReports',
      who: operatorName(),
      via: 'operator',
      detail: { reports: 1 },
    },
  ]);
  const later = await addReport(server, firstAccount);
  await server.sql`UPDATE forwarding_settings SET login_email = 'owner@example.com'
      WHERE account_id = ${id}`;
  expect(await listReports(`account_id=${id}`)).toMatchObject([
    { id: later, login_email: 'owner@example.com' },
  ]);
  await server.sql`UPDATE reports SET closed_at = now(), outcome = 'dismissed' WHERE id <> ${later}`;
  expect(await get('sessions/get-session')).toMatchObject({
    body: { to_do: expect.arrayContaining([expect.objectContaining({ text: 'About @jane' })]) },
  });
  const other = await addReport(server, await server.createAccount());
  await post('reports/close-reports', { report_ids: [later, other] });
  const { entries } = await operator.owner.server.listAuditEntries({ limit: 1 });
  const accounts = [expect.any(String), expect.any(String)];
  expect(entries).toMatchObject([{ account_id: null, detail: { reports: 2, accounts } }]);
  expect(await post('reports/close-reports', { report_ids: [randomUUID()] })).toMatchObject(
    errorText(404, 'There is no such report.'),
  );
});

it('operators make a member an operator and a member again; sessions end, and all operators are mailed', async () => {
  const account = await server.createNamedAccount('second-one');
  const memberSession = await logIn(server, account.id);
  const updateMemberRole = (isOperator: boolean) =>
    post('members/update-member-role', { account_id: account.id, operator: isOperator });
  for (const isOperator of [true, true]) {
    expect(await updateMemberRole(isOperator)).toMatchObject(
      okBody({ member: { operator: true } }),
    );
    const path = '/owner/sessions/get-session';
    expect((await call(server.app, { path, headers: memberSession })).status).toBe(401);
  }
  const session2 = await logIn(server, account.id);
  expect((await get('members/list-members', session2)).status).toBe(200);
  expect(await updateMemberRole(false)).toMatchObject({ body: { member: { operator: false } } });
  expect((await get('members/list-members', session2)).status).toBe(404);
  expect((await readAuditTrail(account.id)).map(({ action, detail }) => [action, detail])).toEqual(
    [false, true, true].map((isOp) => ['members.updateMemberRole', { operator: isOp }]),
  );
  const member = await logIn(server, account.id);
  expect(await get('events/list-events?type=account', member)).toMatchObject({
    body: {
      events: [
        {
          type: 'operator_removed',
          summary: 'Made a member again by the operator of this server',
          action: 'Made a member again',
        },
        {
          type: 'operator_added',
          summary: 'Made an operator (1 session ended) by the operator of this server',
        },
      ],
    },
  });
});

it('operators cannot be suspended, and the last one stays, however many requests remove them at once', async () => {
  const ownServer = await openTestApp({ mailEnabled: true });
  const accounts = [await ownServer.createAccount(), await ownServer.createAccount()] as const;
  const path = '/owner/members/update-member-role';
  const sessions: Record<string, string>[] = [];
  for (const account of accounts) {
    await makeOperator(ownServer, account);
    sessions.push(await logIn(ownServer, account.id));
  }
  await ownServer.sql`UPDATE forwarding_settings SET login_email = account_id || '@example.com',
      email_scope = 'operator'`;
  const member = await ownServer.createAccount();
  await ownServer.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${member.id}`;
  expect(
    await postFromPage(ownServer, path, { account_id: member.id, operator: true }, sessions[0]!),
  ).toMatchObject(errorCode(409, 'accountNotActive'));
  const responses = await Promise.all(
    accounts.map(({ id }, index) =>
      postFromPage(ownServer, path, { account_id: id, operator: false }, sessions[1 - index]!),
    ),
  );
  const [removed, refused] = responses.toSorted((a, b) => a.status - b.status);
  expect(removed).toMatchObject({ status: 200 });
  // The other request is refused, or its sender was no longer an operator.
  expect([404, 409]).toContain(refused!.status);
  const mails = await ownServer.sql<{ address: string }>`SELECT data->>'address' AS address
      FROM pgboss.job WHERE name = 'mail' ORDER BY 1`;
  expect(mails).toEqual(
    accounts
      .map(({ id }) => ({ address: `${id}@example.com` }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  );
  const rows = await ownServer.sql<{ account_id: string }>`SELECT account_id FROM operators`;
  const last = accounts.findIndex(({ id }) => id === rows[0]!.account_id);
  expect(rows).toHaveLength(1);
  const leaving = await ownServer.createAccount();
  await makeOperator(ownServer, leaving);
  await ownServer.sql`UPDATE accounts SET (suspended_at, closed_at) = (now(), now()) WHERE id = ${leaving.id}`;
  const json = { account_id: accounts[last]!.id, operator: false };
  expect(await postFromPage(ownServer, path, json, sessions[last]!)).toMatchObject(
    errorCode(409, 'lastOperator'),
  );
  const [deletion, deletePath] = [{ confirm: accounts[last]!.id }, '/owner/account/delete-account'];
  expect(await postFromPage(ownServer, deletePath, deletion, sessions[last]!)).toMatchObject(
    errorCode(409, 'lastOperator'),
  );
});

it('of two operators who leave at once, one stays', async () => {
  const ownServer = await openTestApp();
  const ids = [(await ownServer.createAccount()).id, (await ownServer.createAccount()).id];
  await ownServer.sql`INSERT INTO operators (account_id) SELECT id FROM accounts ON CONFLICT DO NOTHING`;
  const sessions = await Promise.all(ids.map((id) => logIn(ownServer, id)));
  // The last account of all may leave.
  await ownServer.createAccount();
  const leave = (confirm: string, index: number) =>
    postFromPage(ownServer, '/owner/account/delete-account', { confirm }, sessions[index]!);
  const responses = await Promise.all(ids.map(leave));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(
    await ownServer.sql`SELECT FROM operators JOIN accounts ON accounts.id = account_id
      WHERE closed_at IS NULL`,
  ).toHaveLength(1);
});

it('every change of an operator needs a recent login, but for dismissing reports, which changes no account', () => {
  expect(
    endpoints
      .filter(({ method, needsRecentLogin }) => method !== 'GET' && !needsRecentLogin)
      .map(({ name }) => name),
  ).toEqual([
    'checkImport',
    'checkInvitations',
    'previewInvitation',
    'previewMessage',
    'closeReports',
  ]);
});

it('the audit trail has the names of accounts that got one later, and of people whose invitation was revoked', async () => {
  const account = await server.createAccount();
  await post('members/suspend-member', { account_id: account.id, reason: 'Test' });
  await post('members/resume-member', { account_id: account.id });
  const readNames = async () => {
    const { entries } = await operator.owner.server.listAuditEntries({ account_id: account.id });
    return entries.map(({ name }) => name);
  };
  expect(await readNames()).toEqual([null, null]);
  await account.client.account.updateDisplayName({ display_name: 'named-later' });
  expect(await readNames()).toEqual(['named-later', 'named-later']);

  const csv = 'name,email\nHannah Boyle,hannah@example.com\n';
  await post('invitations/create-invitations', { csv, mail: false });
  const { invitations } = await operator.owner.invitations.listInvitations();
  const { id: invitation_id } = invitations[0]!;
  await post('invitations/revoke-invitation', { invitation_id });
  const { entries } = await operator.owner.server.listAuditEntries({ limit: 1 });
  expect(entries).toMatchObject([{ detail: { invitation: invitation_id, note: 'Hannah Boyle' } }]);
  expect(JSON.stringify(entries)).not.toContain('hannah@example.com');
});

it('the audit trail is filtered by area, and has no invitations to nobody', async () => {
  const account = await server.createAccount();
  await post('members/suspend-member', { account_id: account.id, reason: 'Test' });
  const csv = 'name,email\nIda Boyle,ida@example.com\n';
  await post('invitations/create-invitations', { csv, mail: false });
  const list = async (action?: 'members' | 'invitations') =>
    (await operator.owner.server.listAuditEntries({ limit: 2, action })).entries;
  const [invited] = await list('invitations');
  expect(invited).toMatchObject({ detail: { invitations: 1 } });
  expect(await list('members')).toMatchObject([{ account_id: account.id }, {}]);
  // The second time, she is skipped.
  await post('invitations/create-invitations', { csv, mail: false });
  expect((await list())[0]).toEqual(invited);
});

const listIds = async (state: 'all' | 'unseen' | 'operators' | 'no_page') => {
  const { members } = await operator.owner.members.listMembers({ limit: 200, state });
  return new Map(members.map(({ id, last_seen_at }) => [id, last_seen_at]));
};

it('members are listed with their last use, and by operators and those without any', async () => {
  const [seen, unseen] = [await server.createAccount(), await server.createAccount()];
  const former = await server.createAccount();
  await logIn(server, former.id);
  await server.db.deleteFrom('sessions').where('account_id', '=', former.id).execute();
  await server.sql`UPDATE api_keys SET last_used_at = '2026-01-31T09:30:00Z'
      WHERE account_id = ${seen.id}`;
  const all = await listIds('all');
  expect(all.get(seen.id)).toBe('2026-01-31T09:30:00.000Z');
  expect(all.get(unseen.id)).toBeNull();
  const unseenIds = await listIds('unseen');
  expect([seen, former, unseen].map(({ id }) => unseenIds.has(id))).toEqual([false, false, true]);
  const operatorIds = await listIds('operators');
  expect([operatorIds.has(operator.id), operatorIds.has(seen.id)]).toEqual([true, false]);
  const { account } = await createPage(server, {}, 'has-page');
  const { accounts } = await operator.owner.server.getServer();
  const withoutPage = await listIds('no_page');
  expect(withoutPage.size).toBe(accounts.no_page);
  expect([withoutPage.has(seen.id), withoutPage.has(account.id)]).toEqual([true, false]);
});

it('members can be exported, except operators, with an entry in the audit trail', async () => {
  const member = await server.createNamedAccount('exported');
  const response = await get(`members/export-member?account_id=${member.id}`);
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } });
  const entry = { action: 'members.exportMember', who: operatorName() };
  expect(await readAuditTrail(member.id)).toMatchObject([entry]);
  expect(await get(`members/export-member?account_id=${operator.id}`)).toMatchObject(
    errorCode(409, 'accountIsOperator'),
  );
});
