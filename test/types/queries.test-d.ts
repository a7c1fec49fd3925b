import { claimDisplayName } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { upsertBlocks } from '#db/queries/blocks.ts';
import { isSiteEnabled, upsertSite } from '#db/queries/sites.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

declare const db: Database;
declare const trx: Transaction;

void lockForwardingSettings(trx, 'account');
void isSiteEnabled(trx, 'account');

// @ts-expect-error: locks need a transaction
void lockForwardingSettings(db, 'account');
// @ts-expect-error
void lockAccount(db, 'account');
// @ts-expect-error: functions with several writes need a transaction
void claimDisplayName(db, { accountId: 'account', name: 'jane', quarantineDays: 30 });
// @ts-expect-error
void insertAccount(db);
// @ts-expect-error
void upsertSite(db, 'account', {});
// @ts-expect-error
void upsertBlocks(db, 'account', []);

void inTransaction(db, (innerTrx) => lockAccount(innerTrx, 'account'));

// @ts-expect-error: an unknown field
void upsertSite(trx, 'account', { enabled: true });

// @ts-expect-error: an unknown column
void db.selectFrom('accounts').select('email');
// @ts-expect-error: an unknown table
void db.selectFrom('users');
// @ts-expect-error: this column must not be updated
void db.updateTable('api_keys').set({ secret_hash: Buffer.alloc(32) });
