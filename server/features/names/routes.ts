import type { contract } from '#contract/index.ts';
import { findDisplayNames } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { changeDisplayName, type NameServices } from './change-display-name.ts';

const BATCH_SIZE = 100;

export function displayNameRoutes(app: Core & NameServices): Handlers<typeof contract.account> {
  const readDb = app.queues.reads.databaseFor('names');
  const findName = batchLookup((accountIds) => findDisplayNames(readDb, accountIds), {
    gate: 'names',
    maxKeysPerBatch: BATCH_SIZE,
  });
  return {
    getDisplayName: async ({ accountId, displayName }) => {
      const name = displayName === undefined ? await findName(accountId) : displayName;
      return { display_name: name ?? '' };
    },

    updateDisplayName: async ({ accountId, credential, body, db }) => {
      const change = { accountId, credential, input: body.display_name };
      const { to } = await changeDisplayName(db, app, change);
      return {
        success: true,
        message: `The display name was updated to ${to}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
      };
    },
  };
}
