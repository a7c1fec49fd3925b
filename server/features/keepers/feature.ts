import { listKeepers, listKeptAccounts } from '#db/queries/keepers.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { leaveAll, requireNoneAbandoned } from './change-keepers.ts';
import { keeperInvitationMail } from './invitation-mail.ts';
import { findKeeperInvitations } from './invitations-finding.ts';
import { namedKeeperMail } from './named-mail.ts';
import { keptAccountRoutes, keeperRoutes } from './owner-routes.ts';

export const keepers = defineFeature({
  name: 'keepers',
  optional: true,
  routes: { owner: { accounts: keptAccountRoutes, keepers: keeperRoutes } },
  reactions: {
    accountSuspended: (trx, _app, { accountId }) => requireNoneAbandoned(trx, accountId),
    accountClosed: (trx, app, { accountId }) => leaveAll(trx, app, accountId),
  },
  ownToDo: [findKeeperInvitations],
  mails: [keeperInvitationMail, namedKeeperMail],
  links: ['/dashboard/keep'],
  expiring: ['keeper_invitations'],
  accountTables: {
    keepers: 'exported',
    keeper_invitations: 'not exported: they end after 14 days',
  },
  exportFiles: (db, { accountId }) => [
    jsonFile('keepers.json', 'The people who look after the account.', () =>
      listKeepers(db, accountId),
    ),
    jsonFile('kept-accounts.json', 'The accounts that this one looks after.', () =>
      listKeptAccounts(db, accountId),
    ),
  ],
});
