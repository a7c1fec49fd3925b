import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { logIn } from '../support/session.ts';
import { useSignOn } from './support/use-sign-on.ts';

const GROUPS = { groups: ['staff'] };
const VERIFIED = { ...GROUPS, email_verified: true };

function useMembers(fixture: ReturnType<typeof useSignOn>) {
  const { createBrowser, createUser, getSession } = fixture;
  let operator: Record<string, string>;
  beforeAll(async () => {
    operator = await logIn(fixture.server, (await createOperator(fixture.server)).id);
  });
  const readMember = async (id: string) => {
    const path = `/owner/members/get-member?account_id=${id}`;
    const { body } = await call(fixture.server.app, { path, headers: operator });
    return (body as { member: Record<string, unknown> }).member;
  };
  const signOn = async (user: string) => {
    const browser = createBrowser();
    expect(await browser.signOn(user)).toMatchObject({ status: 200 });
    return readMember((await getSession(browser)).account_id);
  };
  return { signOn, join: (claims: Record<string, unknown>) => signOn(createUser(claims)) };
}

describe('a first single sign-on', () => {
  const fixture = useSignOn();
  const { join, signOn } = useMembers(fixture);

  it('a first single sign-on takes the verified address and the full name of the provider', async () => {
    const claims = { ...VERIFIED, email: 'erik@example.org', name: '  Erik\u0007 Lund ' };
    const { id, ...member } = await join({ ...claims, preferred_username: 'erik' });
    expect(member).toMatchObject({
      display_name: 'erik',
      email: 'erik@example.org',
      page_title: 'Erik Lund',
    });
    const events = await fixture.server.sql<{ type: string; detail: unknown }>`
      SELECT type, detail FROM events WHERE account_id = ${id} AND type = 'forwarding_updated'`;
    expect(events.map(({ detail }) => detail)).toEqual([
      { enabled: false, destination_changed: true, by: 'single sign-on' },
    ]);
  });

  it.each([
    ['absent', VERIFIED],
    ['not verified', { ...GROUPS, email: 'a@example.org', email_verified: false }],
    ['of unknown verification', { ...GROUPS, email: 'a@example.org' }],
    ['longer than allowed', { ...VERIFIED, email: `a@${'x.'.repeat(130)}example.org` }],
    ['not one address', { ...VERIFIED, email: 'a@example.org, b@example.org' }],
    ['at a domain that does not exist', { ...VERIFIED, email: 'a@corp.example' }],
  ])('a first single sign-on stores no address that is %s', async (_title, claims) => {
    expect(await join(claims)).toMatchObject({ email: null, page_title: null });
  });

  it('a first single sign-on logs why an account has no address, and what to do at the provider', async () => {
    const { id } = await join({ ...GROUPS, email: 'a@example.org', email_verified: false });
    const advice = expect.stringMatching(/authentik, Pocket ID, Nextcloud .* docs\/single-sign-on/);
    expect(fixture.server.log).toContainEqual(expect.objectContaining({ account: id, advice }));
  });

  it('a first single sign-on shows no address as the name, and cuts a long name', async () => {
    expect(await join({ ...VERIFIED, name: 'erik@example.org' })).toMatchObject({
      page_title: null,
    });
    const { page_title: title } = await join({ ...VERIFIED, name: 'é'.repeat(1_000) });
    expect(title).toMatch(/^é{50,200}$/);
  });

  it('a first single sign-on gives an address to at most ten accounts, and links none of them', async () => {
    const email = 'shared@example.org';
    const members = [];
    for (let count = 0; count < 11; count += 1) members.push(await join({ ...VERIFIED, email }));
    expect(new Set(members.map(({ id }) => id)).size).toBe(11);
    expect(members.map((member) => member['email'])).toEqual([...Array(10).fill(email), null]);
  });

  it('a first single sign-on gives a member of before an address, and never replaces one', async () => {
    const user = fixture.createUser(GROUPS);
    expect(await signOn(user)).toMatchObject({ email: null });
    fixture.provider.users.set(user, { ...VERIFIED, email: 'first@example.org' });
    expect(await signOn(user)).toMatchObject({ email: 'first@example.org' });
    fixture.provider.users.set(user, { ...VERIFIED, email: 'second@example.org' });
    expect(await signOn(user)).toMatchObject({ email: 'first@example.org' });
  });

  it('a first single sign-on waits for the confirmation of an address that the member entered', async () => {
    const user = fixture.createUser(GROUPS);
    const { id } = await signOn(user);
    await fixture.server.sql`UPDATE forwarding_settings
      SET forwarding_email = 'own@example.org', forwarding_confirmed = false
      WHERE account_id = ${id}`;
    fixture.provider.users.set(user, { ...VERIFIED, email: 'other@example.org' });
    await signOn(user);
    expect(
      await fixture.server
        .sql`SELECT forwarding_email, login_email FROM forwarding_settings WHERE account_id = ${id}`,
    ).toEqual([{ forwarding_email: 'own@example.org', login_email: null }]);
  });

  it('a first single sign-on stores an address again that the account confirmed before', async () => {
    const user = fixture.createUser(GROUPS);
    const { id } = await signOn(user);
    const email = 'again@example.org';
    await inTransaction(fixture.server.db, (trx) =>
      setLoginEmail(trx, { accountId: String(id), email }),
    );
    await fixture.server.sql`UPDATE forwarding_settings
      SET forwarding_email = NULL, forwarding_confirmed = NULL, login_email = NULL
      WHERE account_id = ${id}`;
    fixture.provider.users.set(user, { ...VERIFIED, email });
    expect(await signOn(user)).toMatchObject({ email });
  });

  it('a first single sign-on gives login links the rights of the linked login', async () => {
    const user = fixture.createUser(GROUPS);
    const { id } = await signOn(user);
    await fixture.server.sql`UPDATE identities SET scope = 'all' WHERE account_id = ${id}`;
    fixture.provider.users.set(user, { ...VERIFIED, email: 'limited@example.org' });
    await signOn(user);
    expect(
      await fixture.server
        .sql`SELECT email_scope FROM forwarding_settings WHERE account_id = ${id}`,
    ).toEqual([{ email_scope: 'all' }]);
  });
});

describe('with OIDC_TRUST_EMAIL, a first single sign-on', () => {
  const fixture = useSignOn({ OIDC_TRUST_EMAIL: 'true' });
  const { join } = useMembers(fixture);

  it('with OIDC_TRUST_EMAIL, a first single sign-on takes an address without email_verified, and none that is not verified', async () => {
    const email = 'trusted@example.org';
    expect(await join({ ...GROUPS, email })).toMatchObject({ email });
    expect(await join({ ...GROUPS, email, email_verified: false })).toMatchObject({ email: null });
  });
});
