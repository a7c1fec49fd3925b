import { requireAccount, readAccountSettings } from '#db/queries/accounts.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { names } from '../names/feature.ts';
import { accountDeletionJob, resumeAccountDeletions } from './delete-account.ts';
import { deletionMail } from './deletion-mail.ts';
import { accountRoutes } from './owner-routes.ts';
import { resumptionMail, suspensionMail } from './suspension-mail.ts';

export const accounts = defineFeature({
  name: 'accounts',
  needs: [names],
  routes: { owner: { account: accountRoutes } },
  jobs: [accountDeletionJob],
  mails: [deletionMail, suspensionMail, resumptionMail],
  hourly: resumeAccountDeletions,
  exportFiles: async (db, { accountId }) => {
    // Read now: if the account has been deleted, the response can still be an error.
    const account = {
      ...(await requireAccount(db, accountId)),
      ...(await readAccountSettings(db, accountId)),
    };
    const description = 'The account, its display name and its settings.';
    return [jsonFile('account.json', description, async () => account)];
  },
});
