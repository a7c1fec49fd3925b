import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { Nameplate } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertOperator } from '#db/queries/operators.ts';
import { eventually } from '../support/eventually.ts';
import { spawnServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { type FakeImprovmx, IMPROVMX_KEY, startFakeImprovmx } from './fake-improvmx.ts';

let fake: FakeImprovmx;
beforeEach(async () => {
  fake = await startFakeImprovmx();
});
afterEach(() => fake.close());

async function startServer(settings: Record<string, string>) {
  const process = spawnServer({
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: IMPROVMX_KEY,
    FORWARDING_API_URL: fake.url,
    ...settings,
  });
  const [, baseUrl] = await process.waitFor(/listens on (\S+)/);
  await process.waitFor(/Ready\./);
  return { process, baseUrl: baseUrl! };
}

async function enableForwarding(client: Nameplate): Promise<void> {
  await client.account.updateDisplayName({ display_name: 'survivor' });
  await client.emailForwarding.emailForwardingToggle({ enabled: true, email: 's@example.com' });
}

async function createGroupAddress(client: Nameplate, account_id: string): Promise<void> {
  const recipients = [{ account_id }];
  await ownerOf(client).addresses.createAddress({ name: 'survivor', recipients });
}

it.each([
  ['a display name', enableForwarding],
  ['a group address', createGroupAddress],
])('a server finishes the provider call for %s of one that was killed', async (_, change) => {
  const url = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(url);
  onTestFinished(close);
  const { key, id } = await insertTestAccount(db);
  await sql`UPDATE forwarding_settings SET login_email = 's@example.com'`.execute(db);
  await inTransaction(db, (trx) => insertOperator(trx, id));
  await sql`UPDATE api_keys SET scope = 'operator'`.execute(db);
  fake.faultFor = () => ({ kind: 'hang' });
  const first = await startServer({ DATABASE_URL: url });
  await change(new Nameplate({ apiKey: key, baseUrl: first.baseUrl }), id);
  await eventually(() => expect(fake.requests.length).toBeGreaterThan(0));
  first.process.signal('SIGKILL');
  await first.process.exited;
  expect(fake.aliases.size).toBe(0);
  fake.faultFor = () => undefined;
  // Expire the lease now instead of waiting for it.
  await db.updateTable('provider_aliases').set({ leased_until: new Date() }).execute();
  const second = await startServer({ DATABASE_URL: url });
  await eventually(() => expect(fake.aliases.get('survivor')).toBe('s@example.com'));
  expect(first.process.stdout() + second.process.stdout()).not.toContain('canary');
  second.process.signal('SIGTERM');
  expect(await second.process.exited).toBe(0);
});
