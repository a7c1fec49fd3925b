import type { contract } from '#contract/index.ts';
import type { metrics } from '#contract/owner/metrics.ts';
import type { uploads } from '#contract/owner/pictures.ts';
import type { login } from '#contract/owner/sessions.ts';
import type { Database, Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccount, lockAccount } from '#db/queries/accounts.ts';
import { upsertBlocks } from '#db/queries/blocks.ts';
import { claimNameForAccount } from '#db/queries/display-names.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { isSiteEnabled, toggleSite, upsertSite } from '#db/queries/sites.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

declare const readDb: ReadDatabase;
declare const db: Database;
declare const trx: Transaction;
declare const executor: Executor;

void isSiteEnabled(readDb, 'account');
void isSiteEnabled(db, 'account');
void toggleSite(db, 'account');
void toggleSite(trx, 'account');

// @ts-expect-error: read connections cannot write
void toggleSite(readDb, 'account');
// @ts-expect-error: read connections have no transactions
void inTransaction(readDb, () => Promise.resolve());
// @ts-expect-error: a transaction cannot open another
void inTransaction(trx, () => Promise.resolve());
// @ts-expect-error: a query that may run in a transaction cannot open one
void inTransaction(executor, () => Promise.resolve());
// @ts-expect-error
void readDb.transaction();
// @ts-expect-error
void readDb.insertInto('sites');

void lockForwardingSettings(trx, 'account');
void isSiteEnabled(trx, 'account');

// @ts-expect-error: locks need a transaction
void lockForwardingSettings(db, 'account');
// @ts-expect-error
void lockAccount(db, 'account');
// @ts-expect-error: functions with several writes need a transaction
void claimNameForAccount(db, { accountId: 'account', name: 'jane', quarantineDays: 30 });
// @ts-expect-error
void insertAccount(db);
// @ts-expect-error
void upsertSite(db, 'account', {});
// @ts-expect-error
void upsertBlocks(db, 'account', []);

void inTransaction(db, (innerTrx) => lockAccount(innerTrx, 'account'));

// @ts-expect-error: an unknown field
void upsertSite(trx, 'account', { enabled: true });

// @ts-expect-error: this column must not be updated
void db.updateTable('api_keys').set({ secret_hash: Buffer.alloc(32) });

type Site = Handlers<typeof contract.site>;

declare function acceptHandlers(handlers: Partial<Site>): void;

acceptHandlers({
  getSiteStatus: async ({ accountId, readDb: readConnection }) => ({
    enabled: await isSiteEnabled(readConnection, accountId),
  }),
  toggleSiteVisibility: async ({ accountId, db: writeConnection }) => ({
    success: true,
    newStatus: (await toggleSite(writeConnection, accountId)) === true,
  }),
});
acceptHandlers({
  getSiteStatus: async ({ accountId, readDb: readConnection }) => ({
    // @ts-expect-error: GET handlers cannot write
    enabled: (await toggleSite(readConnection, accountId)) === true,
  }),
});
acceptHandlers({
  // @ts-expect-error: GET handlers get no `db`
  getSiteStatus: async ({ db: writeConnection }) => ({
    enabled: await isSiteEnabled(writeConnection, 'account'),
  }),
});

type Metrics = Handlers<typeof metrics>;

declare const queryInput: Parameters<Metrics['queryMetrics']>[0];
void queryInput.readDb;
// @ts-expect-error: POST handlers without an idempotency key get no `db`, either
void queryInput.db;
declare const deleteInput: Parameters<Metrics['deleteMetrics']>[0];
void deleteInput.db;
declare const messageInput: Parameters<Handlers<typeof contract.hooks>['sendChatWebhook']>[0];
void inTransaction(messageInput.db, () => Promise.resolve());
// @ts-expect-error: writes are one transaction, unless they call another service
void inTransaction(deleteInput.db, () => Promise.resolve());

declare const uploadInput: Parameters<Handlers<typeof uploads>['uploadPicture']>[0];
void uploadInput.db;
// @ts-expect-error: uploads take no idempotency key
void uploadInput.idempotencyKey;

declare const loginInput: Parameters<Handlers<typeof login>['createSession']>[0];
void loginInput.loginClient;
// @ts-expect-error: logins have no account yet
void loginInput.accountId;
