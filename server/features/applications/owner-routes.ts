import type { applicants, applications } from '#contract/owner/applications.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteApplicationByToken,
  findApplicationByToken,
  listApplications,
} from '#db/queries/applications.ts';
import { endHold, findDisplayName } from '#db/queries/display-names.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import type { Audit, Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';
import { hashToken, tokenOf } from '#server/platform/secrets/token.ts';
import { languageOf } from '#server/platform/text/language.ts';
import type { NameServices } from '../names/change-display-name.ts';
import type { SignUpService } from '../sign-up/sign-up-service.ts';
import { expiryOf } from './application-mails.ts';
import { createApplication } from './create-application.ts';
import { approveApplications, declineApplications } from './decide.ts';

export function applicantRoutes(
  app: Core & NameServices & { signUps: SignUpService },
): Handlers<typeof applicants> {
  return {
    createApplication: async ({ request, body, refuse }) => {
      if (!app.signUps.isForEveryone) throw refuse('registrationClosed');
      const { registration_url, display_name: input } = body;
      const language = languageOf(request);
      return createApplication(app, { token: tokenOf(registration_url), input, language });
    },

    getApplication: async ({ db, body, refuse }) => {
      const tokenHash = hashToken(tokenOf(body.application_url));
      const application = await findApplicationByToken(db, tokenHash);
      if (!application) throw refuse('applicationInvalid');
      const { display_name, created_at } = application;
      return { display_name, expires_at: expiryOf(created_at).toISOString() };
    },

    deleteApplication: async ({ db, body, refuse }) => {
      const tokenHash = hashToken(tokenOf(body.application_url));
      await inTransaction(db, async (trx) => {
        const name = await deleteApplicationByToken(trx, tokenHash);
        if (name === undefined) throw refuse('applicationInvalid');
        await endHold(trx, [name]);
      });
    },
  };
}

export function applicationRoutes(app: Core & NameServices): Handlers<typeof applications> {
  return {
    listApplications: async ({ readDb, query: { state, limit, after }, refuse }) => {
      if (after !== undefined && !(await hasRow(readDb, 'applications', after)))
        throw refuse('cursorInvalid');
      const rows = await listApplications(readDb, { state, limit: limit + 1, after });
      const { entries, next } = paginate(rows, limit, (row) =>
        serializeTimes({ ...row, expires_at: expiryOf(row.created_at) }),
      );
      return { applications: entries, next };
    },

    approveApplications: async ({ accountId, db, body, audit, refuse }) => {
      if (!app.outbox.isAvailable) throw refuse('mailUnavailable');
      const { application_ids: ids, sentence = null } = body;
      const by = (await findDisplayName(db, accountId)) ?? null;
      const { results, names } = await approveApplications(db, app, ids, { by, sentence });
      auditDecision(audit, names, { sentence, isMailed: true });
      return { results };
    },

    declineApplications: async ({ db, body, audit, refuse }) => {
      const { application_ids: ids, sentence = null, mail: isMailed } = body;
      if (isMailed && !app.outbox.isAvailable) throw refuse('mailUnavailable');
      const decision = { sentence, isMailed };
      const { results, names } = await declineApplications(db, app, ids, decision);
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
