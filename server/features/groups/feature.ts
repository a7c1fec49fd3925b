import { deleteMemberships, listGroupsOf } from '#db/queries/groups.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { names } from '../names/feature.ts';
import { joinGroups } from './import-routes.ts';
import { groupRoutes } from './owner-routes.ts';

export const groups = defineFeature({
  name: 'groups',
  optional: true,
  routes: { operator: { groups: groupRoutes } },
  needs: [names],
  reactions: {
    accountClosed: (trx, _app, { accountId }) => deleteMemberships(trx, accountId),
    invitationAccepted: joinGroups,
  },
  links: ['/dashboard/operator/members/groups'],
  expiring: ['group_imports', 'group_members', 'groups'],
  accountTables: { group_members: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('groups.json', 'The groups of members that the account is in.', () =>
      listGroupsOf(db, accountId),
    ),
  ],
});
