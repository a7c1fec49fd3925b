import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { logIn } from '../support/session.ts';
import { useSignOn } from './support/use-sign-on.ts';

const MEMBER = { groups: ['staff', 'guests'] };
const OPERATOR = { groups: ['staff', '/admins'] };

describe('OIDC_OPERATOR_GROUP', () => {
  const fixture = useSignOn({ OIDC_OPERATOR_GROUP: 'admins' });
  const { createBrowser, createUser, getSession, sessionHeaders } = fixture;
  let byHand: { id: string; headers: Record<string, string> };
  beforeAll(async () => {
    const { id } = await createOperator(fixture.server);
    byHand = { id, headers: await logIn(fixture.server, id) };
  });
  const signOn = async (user: string, claims: Record<string, unknown>) => {
    fixture.provider.users.set(user, claims);
    const browser = createBrowser();
    return { page: await browser.signOn(user), browser };
  };
  const join = async (claims: Record<string, unknown>) => {
    const user = createUser(claims);
    const { browser } = await signOn(user, claims);
    return { user, browser, id: (await getSession(browser)).account_id };
  };
  const listOperators = async () => {
    const rows = await fixture.server.sql<{ account_id: string }>`SELECT account_id FROM operators`;
    return rows.map(({ account_id }) => account_id);
  };

  it('OIDC_OPERATOR_GROUP makes and unmakes operators at sign-on, and the audit trail and events say so', async () => {
    const { user, browser, id } = await join(OPERATOR);
    const path = '/owner/members/list-members';
    const list = () => call(fixture.server.app, { path, headers: sessionHeaders(browser) });
    expect((await list()).status).toBe(200);
    await signOn(user, OPERATOR);
    await signOn(user, MEMBER);
    expect((await list()).status).toBe(404);
    const { body } = await call(fixture.server.app, {
      path: `/owner/server/list-audit-entries?account=${id}`,
      headers: byHand.headers,
    });
    const entry = { who: 'Example ID', via: 'single sign-on', action: 'members.updateMemberRole' };
    expect(body).toMatchObject({
      entries: [false, true].map((operator) => ({
        ...entry,
        account_id: id,
        detail: { operator },
      })),
    });
    const events = await call(fixture.server.app, {
      path: '/owner/events/list-events?type=account',
      headers: sessionHeaders(browser),
    });
    expect(events.body).toMatchObject({
      events: [
        { summary: 'Made a member again by single sign-on' },
        { summary: 'Made an operator (0 sessions ended) by single sign-on' },
      ],
    });
  });

  it.each([
    ['no groups', {}],
    ['groups as objects', { groups: [{ name: 'guests' }] }],
  ])('OIDC_OPERATOR_GROUP takes nothing away if the provider sends %s', async (_title, claims) => {
    const { user, id } = await join(OPERATOR);
    await signOn(user, { ...claims, email: 'a@corp.example', email_verified: true });
    expect(await listOperators()).toContain(id);
  });

  it('OIDC_OPERATOR_GROUP leaves operators made by hand, and does not make a suspended or refused user one', async () => {
    const { user, id } = await join(MEMBER);
    await fixture.server.sql`INSERT INTO operators (account_id) VALUES (${id})`;
    await signOn(user, OPERATOR);
    await signOn(user, MEMBER);
    expect(await listOperators()).toContain(id);
    const suspended = await join(MEMBER);
    await fixture.server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.id}`;
    const { page } = await signOn(suspended.user, OPERATOR);
    expect(page).toMatchObject(errorCode(403, 'signOnSuspended'));
    const refused = await join(MEMBER);
    await signOn(refused.user, { groups: ['admins'], email: 'a@b.example' });
    expect(await listOperators()).not.toContain(suspended.id);
    expect(await listOperators()).not.toContain(refused.id);
  });

  it('a leaver is no operator any more, but the last one stays', async () => {
    const [first, second] = [await join(OPERATOR), await join(OPERATOR)];
    await fixture.server.sql`DELETE FROM operators
      WHERE account_id NOT IN (${first.id}, ${second.id})`;
    await Promise.all(
      [first, second].map(({ user }) => signOn(user, { groups: ['guests'], email: 'a@b.example' })),
    );
    expect(await listOperators()).toHaveLength(1);
  });
});
