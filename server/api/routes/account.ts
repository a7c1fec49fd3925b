import type { contract } from '../../../contract/index.ts';
import { findDisplayName } from '../../../db/queries/display-names.ts';
import type { Handlers } from '../../http/adapter.ts';
import { type Naming, changeDisplayName } from '../../service/names/change-display-name.ts';

export function accountRoutes(naming: Naming): Handlers<typeof contract.account> {
  return {
    getDisplayName: async ({ accountId, db }) => {
      const name = await findDisplayName(db, accountId);
      return { status: 200, body: { display_name: name ?? '' } };
    },

    updateDisplayName: async ({ accountId, body, db }) => {
      const change = { accountId, input: body.display_name };
      const { to } = await changeDisplayName(db, naming, change);
      return {
        status: 200,
        body: {
          success: true,
          message: `The display name was updated to ${to}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
        },
      };
    },
  };
}
