import type { Kysely } from 'kysely';
import type { metrics } from '#contract/owner/metrics.ts';
import type { contract } from '#contract/index.ts';
import type { Reads } from '#db/connections/databases.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findSiteEnabled, toggleSite } from '#db/queries/sites/sites.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';

// Each marked line must not compile. If it does, its @ts-expect-error is an error.

declare const reads: Reads;
declare const db: Kysely<Database>;

void findSiteEnabled(reads, 'account');
void findSiteEnabled(db, 'account');
void toggleSite(db, 'account');

// @ts-expect-error: shared connections cannot write
void toggleSite(reads, 'account');
// @ts-expect-error: a transaction needs a connection of its own
void inTransaction(reads, () => Promise.resolve());
// @ts-expect-error
void reads.transaction();
// @ts-expect-error
void reads.insertInto('sites');

type Site = Handlers<typeof contract.site>;

declare function handlers(some: Partial<Site>): void;

handlers({
  getSiteStatus: async ({ accountId, reads: own }) => ({
    status: 200,
    body: { enabled: await findSiteEnabled(own, accountId) },
  }),
  toggleSiteVisibility: async ({ accountId, db: own }) => ({
    status: 200,
    body: { success: true, newStatus: await toggleSite(own, accountId) },
  }),
});
handlers({
  getSiteStatus: async ({ accountId, reads: own }) => ({
    status: 200,
    // @ts-expect-error: the handler of a GET cannot write
    body: { enabled: await toggleSite(own, accountId) },
  }),
});
handlers({
  // @ts-expect-error: the handler of a GET gets nothing that can write
  getSiteStatus: async ({ db: own }) => ({
    status: 200,
    body: { enabled: await findSiteEnabled(own, 'account') },
  }),
});

type Metrics = Handlers<typeof metrics>;

declare const query: Parameters<Metrics['queryMetrics']>[0];
void query.reads;
// @ts-expect-error: a POST that takes no idempotency key cannot write, either
void query.db;
declare const deletion: Parameters<Metrics['deleteMetrics']>[0];
void deletion.db;
