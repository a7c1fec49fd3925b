import type { DecisionResult } from '#contract/shared/applications.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inSavepoint, inTransaction } from '#db/connections/transaction.ts';
import {
  type Applicant,
  deleteUndecidedApplications,
  lockApplications,
  setApplicationDecided,
} from '#db/queries/applications.ts';
import { deleteDeclinedNames } from '#db/queries/audit-log.ts';
import { endHold } from '#db/queries/display-names.ts';
import { consumeInvitationByEmail } from '#db/queries/invitations.ts';
import type { Core } from '#server/core.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { createConfirmedAccount } from '../sign-up/create-confirmed-account.ts';
import { applicationMail, approvalMail } from './application-mails.ts';

interface Decision {
  /** Display name of the operator. */
  by: string | null;
  sentence: string | null;
}

/** Decides each waiting application with `decideOne`, which returns why it could not. */
async function decideEach(
  trx: Transaction,
  ids: readonly string[],
  decideOne: (applicant: Applicant) => Promise<DecisionResult>,
): Promise<{ results: { application_id: string; result: DecisionResult }[]; names: string[] }> {
  const locked = await lockApplications(trx, ids);
  const results = new Map<string, DecisionResult>();
  const names: string[] = [];
  for (const [id, application] of locked) {
    const result =
      application.state === 'waiting' ? await decideOne(application) : 'alreadyDecided';
    results.set(id, result);
    if (result === 'done') names.push(application.display_name);
  }
  return {
    results: ids.map((id) => ({
      application_id: id,
      result: results.get(id.toLowerCase()) ?? 'notFound',
    })),
    names,
  };
}

export function approveApplications(
  trx: Transaction,
  app: NameServices,
  ids: readonly string[],
  { by, sentence }: Decision,
) {
  return decideEach(trx, ids, async ({ id, display_name: name, name: title, email, language }) => {
    try {
      await inSavepoint(trx, async () => {
        // Locks the invitation before the name, like sign-up.
        const invitation = await consumeInvitationByEmail(trx, email, name);
        await endHold(trx, [name]);
        const applicant = { displayName: name, email, language, title };
        const accountId = await createConfirmedAccount(trx, app, applicant, [invitation]);
        await setApplicationDecided(trx, id, 'approved');
        const mail = { accountId, name, by, sentence, language };
        await app.outbox.enqueue(trx, approvalMail, mail);
      });
      return 'done';
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return 'nameUnavailable';
    }
  });
}

export function declineApplications(
  trx: Transaction,
  { outbox }: Pick<Core, 'outbox'>,
  ids: readonly string[],
  { sentence, isMailed }: Omit<Decision, 'by'> & { isMailed: boolean },
) {
  return decideEach(trx, ids, async (applicant) => {
    await endHold(trx, [applicant.display_name]);
    await setApplicationDecided(trx, applicant.id, 'declined', isMailed ? sentence : null);
    if (isMailed)
      await outbox.enqueue(trx, applicationMail, mailOf(applicant, 'declined', sentence));
    return 'done';
  });
}

export async function expireApplications({
  db,
  outbox,
}: Pick<Core, 'outbox'> & { db: Database }): Promise<void> {
  await inTransaction(db, async (trx) => {
    const expired = await deleteUndecidedApplications(trx);
    await endHold(
      trx,
      expired.map(({ display_name }) => display_name),
    );
    for (const applicant of expired)
      await outbox.enqueue(trx, applicationMail, mailOf(applicant, 'expired'));
    await deleteDeclinedNames(trx);
  });
}

export function mailOf(
  { id, email, display_name, language }: Applicant,
  state: 'waiting' | 'declined' | 'expired',
  sentence: string | null = null,
) {
  return { state, applicationId: id, address: email, name: display_name, sentence, language };
}
