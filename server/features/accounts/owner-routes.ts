import type { account } from '#contract/owner/account.ts';
import { EVENT_TYPES } from '#contract/shared/event-types.ts';
import { updateAccountSettings } from '#db/queries/accounts.ts';
import { findDisplayName, listRedirects, deleteRedirects } from '#db/queries/display-names.ts';
import { setSubscribed } from '#db/queries/messages.ts';
import { canLoseOperator, isOperator } from '#db/queries/operators.ts';
import { saveTimeZone } from '#db/queries/week-summaries.ts';
import type { Core } from '#server/core.ts';
import { createLogoutHeaders } from '#server/platform/http/access/session-cookie.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import type { AllFeatures } from '../define-feature.ts';
import { readableTypes } from '../events/readable-types.ts';
import { changeDisplayName, type NameServices } from '../names/change-display-name.ts';
import { checkNameAvailability } from '../names/check-name.ts';
import { createAccountExporter } from './account-exporter.ts';
import { closeAccount, enqueueAccountDeletion } from './delete-account.ts';

type AccountServices = Core & NameServices & { features: AllFeatures };

export function accountRoutes(app: AccountServices): Handlers<typeof account> {
  const { sessionCookie, jobs } = app;
  const exportAccountFiles = createAccountExporter(app);
  return {
    checkDisplayName: async ({ accountId, readDb, query: { display_name: input } }) => {
      const { name, isAvailable, suggestions } = await checkNameAvailability(
        readDb,
        app,
        input,
        accountId,
      );
      return { display_name: name, available: isAvailable, suggestions };
    },

    updateAccountName: async ({ accountId, credential, db, body }) => {
      const { to } = await changeDisplayName(db, app, {
        accountId,
        credential,
        input: body.display_name,
        redirect: body.redirect,
      });
      return { display_name: to };
    },

    listRedirects: async ({ accountId, readDb }) => {
      const redirects = (await listRedirects(readDb, accountId)).map(({ name, expires_at }) => ({
        display_name: name,
        expires_at: expires_at.toISOString(),
      }));
      return { redirects };
    },

    deleteRedirects: async ({ accountId, db }) => {
      await deleteRedirects(db, accountId);
    },

    updateDeveloperTools: async ({ accountId, db, body: { developer_tools } }) => {
      await updateAccountSettings(db, accountId, { developer_tools });
      return { developer_tools };
    },

    updateLanguage: async ({ accountId, db, body: { language } }) => {
      await updateAccountSettings(db, accountId, { language });
      return { language };
    },

    updateTimeZone: async ({ accountId, db, body: { time_zone } }) => {
      await saveTimeZone(db, accountId, time_zone);
      return { time_zone };
    },

    updateMessages: async ({ accountId, db, body: { messages } }) => {
      await setSubscribed(db, { accountId }, messages);
      return { messages };
    },

    exportAccount: async ({ accountId, scope }) => {
      const types = await readableTypes(app.readDb, { accountId, scope }, EVENT_TYPES);
      return exportAccountFiles(accountId, types);
    },

    deleteAccount: async ({ accountId, actorId, db, body, refuse }) => {
      const name = await findDisplayName(db, accountId);
      const confirmation = body.confirm.trim().toLowerCase();
      if (confirmation !== accountId && confirmation !== name) throw refuse('confirmationMismatch');
      if ((await isOperator(db, accountId)) && !(await canLoseOperator(db, accountId)))
        throw refuse('lastOperator');
      await closeAccount(db, app, accountId);
      await enqueueAccountDeletion(db, jobs, accountId);
      const headers = actorId === accountId ? createLogoutHeaders(sessionCookie) : {};
      return new WithHeaders(headers, { success: true });
    },
  };
}
