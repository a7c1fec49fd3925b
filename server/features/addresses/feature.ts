import { listAddressesOf } from '#db/queries/addresses.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { forwarding } from '../forwarding/feature.ts';
import { followGroup } from './change-recipients.ts';
import { groupAddressRoutes } from './group-addresses.ts';
import { groupMembershipMail, lostReaderMail, outsideReaderMail } from './group-mails.ts';
import { removeFromGroups } from './lost-reader.ts';
import { addressRoutes } from './owner-routes.ts';
import { findUnreadAddresses } from './unread-finding.ts';

export const addresses = defineFeature({
  name: 'addresses',
  optional: true,
  needs: [forwarding],
  reactions: { accountClosed: removeFromGroups, groupChanged: followGroup },
  toDo: [findUnreadAddresses],
  routes: { owner: { forwarding: groupAddressRoutes }, operator: { addresses: addressRoutes } },
  mails: [groupMembershipMail, lostReaderMail, outsideReaderMail],
  links: ['/dashboard/operator/addresses'],
  accountTables: { address_recipients: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('group-addresses.json', 'The group addresses that reach the account.', async () =>
      (await listAddressesOf(db, accountId)).map(({ name }) => name),
    ),
  ],
});
