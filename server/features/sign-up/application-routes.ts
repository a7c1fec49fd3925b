import type { decisions } from '#contract/owner/members.ts';
import type { applications } from '#contract/owner/registration.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  type ApplicationStatus,
  deleteApplicationByToken,
  findApplicationByToken,
} from '#db/queries/applications.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import type { Audit, Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { hashToken, tokenOf } from '#server/platform/secrets/token.ts';
import { languageOf } from '#server/platform/text/language.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { deletionOf, expiryOf } from './application-mails.ts';
import { createApplication } from './create-application.ts';
import { approveMembers, declineMembers } from './decide.ts';
import type { SignUpService } from './sign-up-service.ts';

/** For people with a mailed link. */
export function applicationRoutes(
  app: Core & NameServices & { signUp: SignUpService },
): Handlers<typeof applications> {
  return {
    createApplication: async ({ request, body, refuse }) => {
      if (!app.signUp.isForEveryone) throw refuse('registrationClosed');
      const { registration_url, display_name: input } = body;
      const language = languageOf(request);
      const token = tokenOf(registration_url);
      return serializeStatus(await createApplication(app, { token, input, language }));
    },

    getApplication: async ({ db, body, refuse }) => {
      const tokenHash = hashToken(tokenOf(body.application_url));
      const application = await findApplicationByToken(db, tokenHash);
      if (!application) throw refuse('applicationInvalid');
      return serializeStatus(application);
    },

    deleteApplication: async ({ db, body, refuse }) => {
      const tokenHash = hashToken(tokenOf(body.application_url));
      const isDeleted = await inTransaction(db, (trx) => deleteApplicationByToken(trx, tokenHash));
      if (!isDeleted) throw refuse('applicationInvalid');
    },
  };
}

function serializeStatus({ decided_at, decided_by, ...row }: ApplicationStatus) {
  const expires_at = decided_at ? deletionOf(decided_at) : expiryOf(row.created_at);
  const state = decided_at ? 'declined' : 'waiting';
  return { ...serializeTimes({ ...row, expires_at }), state, by: decided_by } as const;
}

export function decisionRoutes(app: Core & NameServices): Handlers<typeof decisions> {
  return {
    approveMembers: async ({ accountId, db, body, audit, refuse }) => {
      if (!app.outbox.isAvailable) throw refuse('mailUnavailable');
      const { account_ids: ids, sentence = null } = body;
      const by = (await findDisplayName(db, accountId)) ?? null;
      const { results, names } = await approveMembers(db, app, ids, { by, sentence });
      auditDecision(audit, names, { sentence, isMailed: true });
      return { results };
    },

    declineMembers: async ({ accountId, db, body, audit, refuse }) => {
      const { account_ids: ids, sentence = null, mail: isMailed } = body;
      if (isMailed && !app.outbox.isAvailable) throw refuse('mailUnavailable');
      const by = (await findDisplayName(db, accountId)) ?? null;
      const decision = { by, sentence, isMailed };
      const { results, names } = await declineMembers(db, app, ids, decision);
      auditDecision(audit, names, decision);
      return { results };
    },
  };
}

function auditDecision(
  audit: Audit,
  applications: readonly string[],
  { sentence, isMailed }: { sentence: string | null; isMailed: boolean },
): void {
  const detail = { applications, mail: isMailed, sentence };
  audit(applications.length === 0 ? 'unchanged' : { detail });
}
