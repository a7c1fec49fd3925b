import type { Kysely, Transaction } from 'kysely';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding/forwarding-settings.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { upsertBlocks } from '#db/queries/sites/blocks.ts';
import { findSiteEnabled, upsertSite } from '#db/queries/sites/sites.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database } from '#db/schema.ts';

// Each marked line must not compile. If it does, its @ts-expect-error is an error.

declare const db: Kysely<Database>;
declare const trx: Transaction<Database>;

void lockForwardingSettings(trx, 'account');
void findSiteEnabled(trx, 'account');

// @ts-expect-error: a lock outside a transaction would be gone at once
void lockForwardingSettings(db, 'account');
// @ts-expect-error
void lockAccount(db, 'account');
// @ts-expect-error: one of several writes that belong together
void claimDisplayName(db, { accountId: 'account', name: 'jane', quarantineDays: 30 });
// @ts-expect-error
void insertAccount(db);
// @ts-expect-error
void upsertSite(db, 'account', {});
// @ts-expect-error
void upsertBlocks(db, 'account', []);

void inTransaction(db, (inner) => lockAccount(inner, 'account'));

// @ts-expect-error: a detail that a site does not have
void upsertSite(trx, 'account', { enabled: true });

// @ts-expect-error: a column that is not there
void db.selectFrom('accounts').select('email');
// @ts-expect-error: a table that is not there
void db.selectFrom('users');
// @ts-expect-error: the hash of a secret is never changed
void db.updateTable('api_keys').set({ secret_hash: Buffer.alloc(32) });
