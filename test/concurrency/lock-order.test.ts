import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { insertAddress, insertRecipient } from '#db/queries/addresses.ts';
import { claimNameForAddress } from '#db/queries/display-names.ts';
import { insertFailedLogin } from '#db/queries/events.ts';
import { closeAccount } from '#server/features/accounts/delete-account.ts';
import { suspendAccount } from '#server/features/accounts/suspend-account.ts';
import { createDnsResolver } from '#server/features/domains/dns-resolver.ts';
import { DomainChecker } from '#server/features/domains/domain-checker.ts';
import { logInWithIdentity, logInWithPasskey } from '#server/features/sessions/start-session.ts';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { createOperator } from '../support/endpoints.ts';
import { createLoginLinkToken, createSession, logIn } from '../support/session.ts';
import { useTwoServers } from './support/two-servers.ts';

const CONTEXT = {
  network: '',
  userAgent: undefined,
  language: null,
  allowances: { eventLimit: 0 },
};

const servers = useTwoServers();
let dns: Awaited<ReturnType<typeof startDnsServer>>;
beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.close());

/** An account with a row of each kind, and one write for each way to change them. */
async function createWrites() {
  const account = await servers.createAccount();
  const { first } = servers;
  const { db } = first;
  const { id: account_id } = account;
  // Otherwise the server may write the time of the first use while the test locks the key.
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('account_id', '=', account_id)
    .execute();
  const domain = `${account_id}.example`;
  const passkey = { id: `passkey-${account_id}`, account_id, public_key: Buffer.of(1) };
  await db
    .insertInto('passkeys')
    .values({ ...passkey, counter: '0', transports: '[]', scope: 'operator' })
    .execute();
  const { id: identityId } = await db
    .insertInto('identities')
    .values({ account_id, issuer: 'https://id.example', subject: account_id, scope: 'operator' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('domains')
    .values({ account_id, domain, token: 't'.repeat(22) })
    .execute();
  const projectId = await first.createProject(account);
  await logIn(first, account_id);
  await send(first, account, 'POST /account/update-display-name', {
    display_name: `n-${account_id.slice(0, 8)}`,
  });
  const link = await createLoginLinkToken(first, account_id);
  const keyId = account.key.split('.')[0]!;
  const checker = new DomainChecker({
    db,
    dns: createDnsResolver([dns.address]),
    targetHost: 'target.example',
    jobs: first.jobs,
    allowances: { eventLimit: 0, domainsPerDay: 0 },
  });
  const { addressId, operator } = await createGroup(account_id);
  const post = (path: string, json?: object) => () =>
    send(first, account, `POST ${path}` as 'POST /', json);
  const writes: Record<string, () => Promise<unknown>> = {
    'a login with a link': () => createSession(first, { login_url: link }),
    'a login with a key': () => createSession(first, { api_key: account.key }),
    'a login with a passkey': () =>
      logInWithPasskey(
        db,
        {
          accountId: account_id,
          passkeyId: passkey.id,
          counter: 1,
          isBackedUp: false,
          host: 'localhost',
        },
        CONTEXT,
      ),
    'a single sign-on': () =>
      logInWithIdentity(
        db,
        { accountId: account_id, identityId, authenticatedAt: new Date(), sid: null },
        CONTEXT,
      ),
    'a failed login': () =>
      inTransaction(db, (trx) => insertFailedLogin(trx, { keyId, reason: 'keyRevoked' })),
    'the removal of a passkey': post('/owner/passkeys/delete-passkey', { passkey_id: passkey.id }),
    'the unlinking of an identity': post('/owner/identities/delete-identity', {
      identity_id: identityId,
    }),
    'the end of all sessions': post('/owner/sessions/revoke-all-sessions'),
    'a change of the name': post('/account/update-display-name', { display_name: randomUUID() }),
    'a change of forwarding': post('/email-forwarding/email-forwarding-toggle', { enabled: false }),
    'a change of the page': post('/site/update-site-configuration', { bio: 'Potter' }),
    'a toggle of the page': post('/site/toggle-site-visibility'),
    'a change of visibility': post('/owner/page/update-page-visibility', { visible: false }),
    'a redirect to a domain': post('/owner/domains/update-domain', { domain, redirect: true }),
    'the removal of a domain': post('/owner/domains/delete-domain', { domain }),
    'a check of a domain': () => checker.check({ accountId: account_id, domain }),
    'the deletion of a project': post('/owner/projects/delete-project', { project_id: projectId }),
    'a suspension': () =>
      inTransaction(db, (trx) =>
        suspendAccount(trx, first.nameplate, { accountId: account_id, reason: null }),
      ),
    'a deletion': () => inTransaction(db, (trx) => closeAccount(trx, first.nameplate, account_id)),
    'a stop of a group address': post('/owner/forwarding/update-group-address', {
      address_id: addressId,
      enabled: false,
    }),
    'a removal from a group address': () =>
      send(first, operator, 'POST /owner/addresses/update-address', {
        address_id: addressId,
        recipients: [],
      }),
    'the revocation of a key': post('/owner/keys/revoke-key', { key_id: keyId }),
  };
  return { accountId: account_id, writes };
}

/** A group address that the account reads. */
async function createGroup(account_id: string) {
  const name = `g-${account_id.slice(0, 8)}`;
  const addressId = await inTransaction(servers.first.db, async (trx) => {
    await claimNameForAddress(trx, { name, quarantineDays: 0 });
    const { id } = await insertAddress(trx, name);
    await insertRecipient(trx, id, { account_id });
    return id;
  });
  return { addressId, operator: await createOperator(servers.first) };
}

/** Fails if another transaction has locked a row of the account, other than a new one. */
async function lockOtherRows(trx: Transaction, accountId: string): Promise<void> {
  await sql`SELECT FROM addresses JOIN address_recipients ON address_id = addresses.id
    WHERE account_id = ${accountId} FOR UPDATE NOWAIT`.execute(trx);
  for (const table of [
    'api_keys',
    'display_names',
    'domains',
    'forwarding_settings',
    'identities',
    'login_links',
    'passkeys',
    'projects',
    'sessions',
    'sites',
  ] as const)
    await trx
      .selectFrom(table)
      .select('account_id')
      .where('account_id', '=', accountId)
      .forUpdate()
      .noWait()
      .execute();
}

it('every write locks the account before other rows of it', async () => {
  const { writes: names } = await createWrites();
  for (const name of Object.keys(names)) {
    const { accountId, writes } = await createWrites();
    const { db } = servers.separateConnections;
    const { pending } = await db.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId);
      const write = writes[name]!();
      await waitForBlockedQuery(db);
      await lockOtherRows(trx, accountId).catch((error: unknown) => {
        throw new Error(`${name} locks another row first`, { cause: error });
      });
      return { pending: write };
    });
    expect([name, (await pending) ?? {}]).not.toMatchObject([name, { status: 500 }]);
  }
});

it('writes of one account never deadlock', async () => {
  const { db } = servers.separateConnections;
  for (let round = 0; round < 10; round += 1) {
    const { writes } = await createWrites();
    const all = Object.entries(writes).flatMap(([name, write]) => [
      [name, write] as const,
      ...(name.includes('login') || name.includes('sign-on') ? [[name, write] as const] : []),
    ]);
    const responses = await Promise.all(
      all.map(async ([name, write]) => [name, ((await write()) as { status?: number })?.status]),
    );
    expect(responses.filter(([, status]) => status === 500)).toEqual([]);
  }
  const readDeadlocks = () =>
    sql<{ deadlocks: string }>`SELECT deadlocks FROM pg_stat_database
      WHERE datname = current_database()`.execute(db);
  expect((await readDeadlocks()).rows).toEqual([{ deadlocks: '0' }]);
});
