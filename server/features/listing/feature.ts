import { findListing } from '#db/queries/listings.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { listingMail } from './listing-mail.ts';
import { tellMembers } from './tell-members.ts';

export const listing = defineFeature({
  name: 'listing',
  mails: [listingMail],
  hourly: tellMembers,
  accountTables: { listings: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('listing.json', 'Whether the list of members may have you.', () =>
      findListing(db, accountId),
    ),
  ],
});
