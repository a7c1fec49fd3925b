import type { Kysely } from 'kysely';

export interface Migration {
  up: (trx: Kysely<any>) => Promise<void>;
}

export type Migrations = Record<string, () => Promise<Migration>>;

/**
 * All migrations in order. A migration only adds to the schema, because servers of the previous
 * version keep running during and after an upgrade. What no server uses since `0040` can be removed
 * by `0042-old-names-needs-0040`: it makes servers that lack `0040` refuse to start. A migration
 * that needs itself, such as `0042-…-needs-0042`, requires that all servers are stopped first.
 */
export const MIGRATIONS: Migrations = {
  '0001-initial': () => import('../migrations/0001-initial.ts'),
  '0002-confirmation-mails': () => import('../migrations/0002-confirmation-mails.ts'),
  '0003-block-changes': () => import('../migrations/0003-block-changes.ts'),
  '0004-connections': () => import('../migrations/0004-connections.ts'),
  '0005-pending-emails': () => import('../migrations/0005-pending-emails.ts'),
  '0006-shared-addresses': () => import('../migrations/0006-shared-addresses.ts'),
  '0007-mail-server': () => import('../migrations/0007-mail-server.ts'),
  '0008-addresses': () => import('../migrations/0008-addresses.ts'),
  '0009-messages': () => import('../migrations/0009-messages.ts'),
  '0010-alerts-without-data': () => import('../migrations/0010-alerts-without-data.ts'),
  '0011-key-requests': () => import('../migrations/0011-key-requests.ts'),
  '0012-metric-keys': () => import('../migrations/0012-metric-keys.ts'),
  '0013-earlier-metric-keys': () => import('../migrations/0013-earlier-metric-keys.ts'),
  '0014-keys-for-one-project': () => import('../migrations/0014-keys-for-one-project.ts'),
  '0015-official-notices': () => import('../migrations/0015-official-notices.ts'),
  '0016-campaign-tags': () => import('../migrations/0016-campaign-tags.ts'),
  '0017-week-summary': () => import('../migrations/0017-week-summary.ts'),
  '0018-leavers': () => import('../migrations/0018-leavers.ts'),
  '0019-pages-for-members': () => import('../migrations/0019-pages-for-members.ts'),
  '0020-directory': () => import('../migrations/0020-directory.ts'),
  '0022-applications': () => import('../migrations/0022-applications.ts'),
  '0023-provider-logout': () => import('../migrations/0023-provider-logout.ts'),
  '0024-listed-unless-objected': () => import('../migrations/0024-listed-unless-objected.ts'),
  '0025-covers': () => import('../migrations/0025-covers.ts'),
  '0026-cover': () => import('../migrations/0026-cover.ts'),
  '0027-clock-jumps': () => import('../migrations/0027-clock-jumps.ts'),
  '0028-key-check': () => import('../migrations/0028-key-check.ts'),
  '0029-passkey-hosts': () => import('../migrations/0029-passkey-hosts.ts'),
  '0030-waiting-accounts': () => import('../migrations/0030-waiting-accounts.ts'),
  '0031-coming-events': () => import('../migrations/0031-coming-events.ts'),
  '0032-sign-in-for-others': () => import('../migrations/0032-sign-in-for-others.ts'),
  '0033-listed-text': () => import('../migrations/0033-listed-text.ts'),
  '0034-page-keys': () => import('../migrations/0034-page-keys.ts'),
  '0035-keepers': () => import('../migrations/0035-keepers.ts'),
  '0036-groups': () => import('../migrations/0036-groups.ts'),
  '0037-messages-to-groups': () => import('../migrations/0037-messages-to-groups.ts'),
  '0038-groups-for-websites': () => import('../migrations/0038-groups-for-websites.ts'),
  '0039-addresses-of-groups': () => import('../migrations/0039-addresses-of-groups.ts'),
  '0040-imported-groups': () => import('../migrations/0040-imported-groups.ts'),
  '0041-groups-of-sign-on': () => import('../migrations/0041-groups-of-sign-on.ts'),
  '0042-groups-in-directory': () => import('../migrations/0042-groups-in-directory.ts'),
  '0043-our-page': () => import('../migrations/0043-our-page.ts'),
  '0044-mails-about-kept-accounts': () => import('../migrations/0044-mails-about-kept-accounts.ts'),
  '0045-club-theme': () => import('../migrations/0045-club-theme.ts'),
  '0046-fill-listed-text': () => import('../migrations/0046-fill-listed-text.ts'),
  '0047-listed-text-index': () => import('../migrations/0047-listed-text-index.ts'),
  '0048-drop-front-page-index': () => import('../migrations/0048-drop-front-page-index.ts'),
  '0049-software-of-websites': () => import('../migrations/0049-software-of-websites.ts'),
};
