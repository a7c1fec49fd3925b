import { beforeAll, describe, expect, it } from 'vitest';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { mailLoginLinks } from '#server/features/sessions/login-mail.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { logIn } from '../support/session.ts';
import { useSignOn } from './support/use-sign-on.ts';

const ALLOWED = { groups: ['staff'] };
const LEFT = { groups: ['guests'], email: 'a@b.example' };

function useMembers(fixture: ReturnType<typeof useSignOn>) {
  const { createBrowser, createUser, getSession, sessionHeaders } = fixture;
  let operator: Record<string, string>;
  beforeAll(async () => {
    const { id } = await createOperator(fixture.server);
    operator = await logIn(fixture.server, id);
  });
  return {
    join: async () => {
      const user = createUser(ALLOWED);
      const browser = createBrowser();
      await browser.signOn(user);
      return { user, browser, id: (await getSession(browser)).account_id };
    },
    changeClaims: (user: string, claims: Record<string, unknown>) =>
      fixture.provider.users.set(user, claims),
    isSignedIn: async (browser: ReturnType<typeof createBrowser>) => {
      const path = '/owner/sessions/get-session';
      const headers = sessionHeaders(browser);
      return (await call(fixture.server.app, { path, headers })).status === 200;
    },
    listLeavers: async () => {
      const path = '/owner/members/list-members?state=left_group';
      const { body } = await call(fixture.server.app, { path, headers: operator });
      return (body as { members: { id: string; state: string; left_group: boolean }[] }).members;
    },
  };
}

describe('a member who left the group', () => {
  const fixture = useSignOn();
  const { join, changeClaims, isSignedIn, listLeavers } = useMembers(fixture);

  it('a member who left the group is refused, loses the sessions of single sign-on, and is marked until allowed again', async () => {
    const { user, browser, id } = await join();
    const { cookie = '' } = await logIn(fixture.server, id);
    expect(await listLeavers()).toEqual([]);
    changeClaims(user, LEFT);
    for (const query of ['', '?for=again']) {
      const page = await fixture.createBrowser().signOn(user, query);
      if (query === '') {
        expect(page).toMatchObject(errorCode(403, 'signOnNotMember'));
        expect(page.text).toContain('ask the people who run this server');
        expect(page.text).not.toContain('groups_not_allowed');
      }
    }
    expect(await isSignedIn(browser)).toBe(false);
    const other = await call(fixture.server.app, {
      path: '/owner/sessions/get-session',
      headers: { cookie },
    });
    expect(other.status).toBe(200);
    expect(await listLeavers()).toMatchObject([{ id, state: 'active', left_group: true }]);
    await fixture.createBrowser().signOn(user);
    expect(
      await fixture.server.sql`SELECT who, via, action FROM audit_log WHERE account_id = ${id}`,
    ).toEqual([{ who: 'Example ID', via: 'single sign-on', action: 'members.refuseSignOn' }]);

    changeClaims(user, ALLOWED);
    const again = fixture.createBrowser();
    expect(await again.signOn(user)).toMatchObject({ status: 200 });
    expect(await isSignedIn(again)).toBe(true);
    expect(await listLeavers()).toEqual([]);
  });

  it.each([
    ['no groups', {}],
    ['groups of Entra ID beyond 200', { _claim_names: { groups: 'src1' } }],
    ['groups as objects', { groups: [{ name: 'guests' }] }],
    ['an address of unknown domain', { ...LEFT, email: 'not an address' }],
    ['an address that is not confirmed', { email: 'a@corp.example', email_verified: false }],
  ])('nobody is assumed to have left if the provider sends %s', async (_title, claims) => {
    const { user, browser } = await join();
    changeClaims(user, claims);
    expect(await fixture.createBrowser().signOn(user)).toMatchObject(
      errorCode(403, 'signOnNotMember'),
    );
    expect(await isSignedIn(browser)).toBe(true);
    expect(await listLeavers()).toEqual([]);
  });

  it('a member who left the group is offered the contact of the server', async () => {
    const { user } = await join();
    const operator = await createOperator(fixture.server);
    await operator.owner.server.updateInstance({ contact: 'board@club.example' });
    changeClaims(user, LEFT);
    const browser = fixture.createBrowser();
    const callbackUrl = await browser.logInAtProvider(await browser.startSignOn(), user);
    const page = await browser.open(callbackUrl, { accept: 'text/html' });
    expect(page.text).toMatch(/class="button primary" href="mailto:board@club\.example"/);
  });

  it('a member who left the group cannot link the login to another account', async () => {
    const account = await fixture.server.createAccount();
    const browser = fixture.createBrowser();
    const { cookie = '' } = await logIn(fixture.server, account.id);
    const [name = '', value = ''] = cookie.split('=');
    browser.cookies.set(name, value);
    const user = fixture.createUser(LEFT);
    expect(await browser.signOn(user, '?for=link')).toMatchObject(
      errorCode(403, 'signOnNotMember'),
    );
    expect(
      await fixture.server.sql`SELECT FROM identities WHERE account_id = ${account.id}`,
    ).toHaveLength(0);
  });
});

describe('on a server that sends mail', () => {
  const fixture = useSignOn({ mailEnabled: true });
  const { changeClaims } = useMembers(fixture);

  it('on a server that sends mail, a leaver gets no login links until allowed again, unless it is an operator', async () => {
    const { server, createBrowser, createUser, getSession } = fixture;
    const email = 'erik@example.org';
    const claims = { ...ALLOWED, email, email_verified: true };
    const user = createUser(claims);
    const browser = createBrowser();
    await browser.signOn(user);
    const { account_id: id } = await getSession(browser);
    const requestLink = async () => {
      await server.sql`DELETE FROM pgboss.job WHERE data->>'kind' = 'login'`;
      await mailLoginLinks(server.db, server.outbox, email);
      return (await server.sql`SELECT FROM pgboss.job WHERE data->>'kind' = 'login'`).length;
    };
    expect(await requestLink()).toBe(1);
    await createLoginLink(server.db, id, 'https://example.org', { isMailed: true });
    changeClaims(user, LEFT);
    await createBrowser().signOn(user);
    expect(
      await server.sql`SELECT FROM login_links WHERE account_id = ${id}
        UNION ALL SELECT FROM pgboss.job WHERE data->>'kind' = 'login' AND state < 'active'`,
    ).toEqual([]);
    expect(await requestLink()).toBe(0);
    await server.sql`INSERT INTO operators (account_id) VALUES (${id})`;
    expect(await requestLink()).toBe(1);
    await server.sql`DELETE FROM operators WHERE account_id = ${id}`;
    changeClaims(user, claims);
    await createBrowser().signOn(user);
    expect(await requestLink()).toBe(1);
  });
});

describe('with OIDC_LEAVERS=suspend', () => {
  const fixture = useSignOn({ OIDC_LEAVERS: 'suspend', OIDC_ALLOWED_DOMAINS: [] });
  const { join, changeClaims, listLeavers } = useMembers(fixture);

  it('with OIDC_LEAVERS=suspend, a leaver is suspended at once, and an operator only loses the sessions', async () => {
    const [member, operator] = [await join(), await join()];
    await fixture.server.sql`INSERT INTO operators (account_id) VALUES (${operator.id})`;
    for (const { user } of [member, operator]) {
      changeClaims(user, LEFT);
      await fixture.createBrowser().signOn(user);
    }
    const leavers = await listLeavers();
    expect(leavers.map(({ id, state }) => [id, state])).toEqual([
      [operator.id, 'active'],
      [member.id, 'suspended'],
    ]);
  });

  it('with OIDC_LEAVERS=suspend, a leaver who was marked before the setting changed is suspended, too', async () => {
    const { user, id } = await join();
    await fixture.server.sql`UPDATE identities SET left_at = now() WHERE account_id = ${id}`;
    changeClaims(user, LEFT);
    await fixture.createBrowser().signOn(user);
    expect((await listLeavers()).find((leaver) => leaver.id === id)?.state).toBe('suspended');
  });

  it('with OIDC_LEAVERS=suspend, the reason of an operator stays, and reports stay open', async () => {
    const [suspended, reported] = [await join(), await join()];
    const { sql } = fixture.server;
    await sql`UPDATE accounts SET suspended_at = now(), suspension_reason = 'Ads'
      WHERE id = ${suspended.id}`;
    await sql`INSERT INTO reports (account_id, name, reason)
      SELECT id, 'some-page', 'other' FROM accounts WHERE id IN (${suspended.id}, ${reported.id})`;
    for (const { user } of [suspended, reported]) {
      changeClaims(user, LEFT);
      await fixture.createBrowser().signOn(user);
    }
    const query = sql`SELECT suspension_reason, suspended_at IS NOT NULL AS is_suspended, reports.closed_at
      FROM accounts JOIN reports ON account_id = accounts.id
      WHERE accounts.id IN (${suspended.id}, ${reported.id}) ORDER BY suspension_reason`;
    expect(await query).toEqual([
      { suspension_reason: 'Ads', is_suspended: true, closed_at: null },
      { suspension_reason: null, is_suspended: true, closed_at: null },
    ]);
  });
});
