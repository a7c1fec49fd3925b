import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertKeepers } from '#db/queries/keepers.ts';
import { SdkClient } from './support/sdk-client.ts';
import { useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth({ FEATURES_OFF: ['keepers'] });
const { createMember, server } = fixture;

it('without keepers, an app can be connected only to the own account', async () => {
  const { account, browser } = await createMember('mira');
  const club = await server.createNamedAccount('rowing-club');
  await inTransaction(server.db, (trx) => insertKeepers(trx, club.id, [account.id]));
  const question = await browser.visit(await new SdkClient(fixture.fetch).begin());
  expect(question.text).toContain('What it may do');
  expect(question.text).not.toContain('rowing-club');
  const forged = await browser.submit(question, { action: 'allow', account: club.id });
  expect(forged.text).toContain('What it may do');
  await new SdkClient(fixture.fetch).allowIn(browser);
  expect(await server.sql`SELECT account_id FROM oauth_grants`).toEqual([
    { account_id: account.id },
  ]);
});
