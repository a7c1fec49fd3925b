import type { Kysely } from 'kysely';
import type { NewIndex } from './new-index.ts';

/**
 * What one does: something within a transaction; or it makes indexes on tables that were there before,
 * which are built while others write.
 */
export type Migration =
  | { up: (trx: Kysely<any>) => Promise<void> }
  | { indexes: readonly NewIndex[] };

export type Migrations = Record<string, () => Promise<Migration>>;

/**
 * All migrations in order, each loaded when it is due. Servers of the version before go on, and are
 * started again, while and after one runs. For that it only adds; or what it takes away is not used
 * since another one that they must know, and its name ends with that one's number, as in
 * `0042-old-names-needs-0040`; with its own number if all servers have to be stopped.
 */
export const MIGRATIONS: Migrations = {
  '0001-initial': () => import('./migrations/0001-initial.ts'),
  '0002-chat-relay': () => import('./migrations/0002-chat-relay.ts'),
  '0003-forwarding': () => import('./migrations/0003-forwarding.ts'),
  '0004-postfix-view': () => import('./migrations/0004-postfix-view.ts'),
  '0005-closed-projects': () => import('./migrations/0005-closed-projects.ts'),
  '0006-chat-sends': () => import('./migrations/0006-chat-sends.ts'),
  '0007-suspended-accounts': () => import('./migrations/0007-suspended-accounts.ts'),
  '0008-destinations': () => import('./migrations/0008-destinations.ts'),
  '0009-confirmations': () => import('./migrations/0009-confirmations.ts'),
  '0010-audit': () => import('./migrations/0010-audit.ts'),
  '0011-account-days': () => import('./migrations/0011-account-days.ts'),
  '0012-names-left': () => import('./migrations/0012-names-left.ts'),
  '0013-public-pages': () => import('./migrations/0013-public-pages.ts'),
  '0014-page-views': () => import('./migrations/0014-page-views.ts'),
  '0015-site-versions': () => import('./migrations/0015-site-versions.ts'),
  '0016-sessions': () => import('./migrations/0016-sessions.ts'),
  '0017-key-scopes': () => import('./migrations/0017-key-scopes.ts'),
  '0018-closed-accounts': () => import('./migrations/0018-closed-accounts.ts'),
  '0019-passkeys': () => import('./migrations/0019-passkeys.ts'),
  '0020-invitations': () => import('./migrations/0020-invitations.ts'),
  '0021-metric-retention': () => import('./migrations/0021-metric-retention.ts'),
  '0022-notices': () => import('./migrations/0022-notices.ts'),
  '0023-growth': () => import('./migrations/0023-growth.ts'),
  '0024-account-events': () => import('./migrations/0024-account-events.ts'),
  '0025-answer-parts': () => import('./migrations/0025-answer-parts.ts'),
  '0026-events-of-account': () => import('./migrations/0026-events-of-account.ts'),
  '0027-used-challenges-needs-0027': () =>
    import('./migrations/0027-used-challenges-needs-0027.ts'),
  '0028-addresses-never-asked': () => import('./migrations/0028-addresses-never-asked.ts'),
  '0031-page-events': () => import('./migrations/0031-page-events.ts'),
  '0040-answer-error-codes': () => import('./migrations/0040-answer-error-codes.ts'),
};
