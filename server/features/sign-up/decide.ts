import type { DecisionResult } from '#contract/shared/applications.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  type Applicant,
  deleteUndecidedApplications,
  lockApplications,
  setApproved,
  setDeclined,
} from '#db/queries/applications.ts';
import { deleteDeclinedNames } from '#db/queries/audit-log.ts';
import { consumeInvitationByEmail } from '#db/queries/invitations.ts';
import type { Core } from '#server/core.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { applicationMail, approvalMail } from './application-mails.ts';
import { createConfirmedAccount } from './create-confirmed-account.ts';

interface Decision {
  /** Display name of the operator. */
  by: string | null;
  sentence: string | null;
  isMailed: boolean;
}

interface DecidedAccounts {
  results: { account_id: string; result: DecisionResult }[];
  /** Of the accounts that this request decided about. */
  names: string[];
}

async function decideEach(
  trx: Transaction,
  ids: readonly string[],
  decideOne: (applicant: Applicant) => Promise<void>,
): Promise<DecidedAccounts> {
  const locked = await lockApplications(trx, ids);
  const waiting = locked.filter(({ state }) => state === 'waiting');
  for (const applicant of waiting) await decideOne(applicant);
  const has = (rows: readonly Applicant[], id: string) =>
    rows.some((row) => row.id === id.toLowerCase());
  return {
    results: ids.map((id) => ({
      account_id: id,
      result: has(waiting, id) ? 'done' : has(locked, id) ? 'alreadyDecided' : 'notFound',
    })),
    names: waiting.map(({ display_name }) => display_name),
  };
}

export function approveMembers(
  trx: Transaction,
  app: NameServices,
  ids: readonly string[],
  { by, sentence }: Omit<Decision, 'isMailed'>,
): Promise<DecidedAccounts> {
  return decideEach(trx, ids, async (applicant) => {
    const { id: accountId, display_name: name, name: title, email, language } = applicant;
    const invitation = await consumeInvitationByEmail(trx, email, name);
    await setApproved(trx, accountId);
    const person = { accountId, displayName: name, email, language, title };
    await createConfirmedAccount(trx, app, person, [invitation]);
    await app.outbox.enqueue(trx, approvalMail, { accountId, name, by, sentence, language });
  });
}

export function declineMembers(
  trx: Transaction,
  { outbox }: Pick<Core, 'outbox'>,
  ids: readonly string[],
  { by, sentence, isMailed }: Decision,
): Promise<DecidedAccounts> {
  return decideEach(trx, ids, async (applicant) => {
    await setDeclined(trx, applicant.id, { by, sentence });
    if (isMailed)
      await outbox.enqueue(trx, applicationMail, mailOf(applicant, 'declined', sentence));
  });
}

export async function expireApplications({
  db,
  outbox,
}: Pick<Core, 'outbox'> & { db: Database }): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const applicant of await deleteUndecidedApplications(trx))
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
