import { deleteMemberships, listGroupsOf } from '#db/queries/groups.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { groupRoutes } from './owner-routes.ts';

export const groups = defineFeature({
  name: 'groups',
  optional: true,
  routes: { operator: { groups: groupRoutes } },
  reactions: { accountClosed: (trx, _app, { accountId }) => deleteMemberships(trx, accountId) },
  links: ['/dashboard/operator/members/groups'],
  expiring: ['group_members', 'groups'],
  accountTables: { group_members: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('groups.json', 'The groups of members that the account is in.', () =>
      listGroupsOf(db, accountId),
    ),
  ],
});
