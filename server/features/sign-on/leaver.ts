import { z } from 'zod';
import type { Transaction } from '#db/connections/handles.ts';
import { findSuspension } from '#db/queries/accounts.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { countLeavers, markLeaver } from '#db/queries/identities.ts';
import { findAbandoned } from '#db/queries/keepers.ts';
import { lockWithKept } from '#db/queries/kept-locks.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { isOperator, lockWithOperators } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import {
  accountName,
  dashboardLink,
  operatorFooter,
  plateFor,
} from '#server/platform/mail/mail-text.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';
import { storeEvent } from '../events/log-event.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { auditSignOn } from './operator-group.ts';

/** To operators, about a member whom the identity provider no longer lets in. */
export const leaverMail = defineOwnerMail({
  kind: 'leaver',
  to: 'operators',
  schema: OwnerMailData.extend({
    member: z.string(),
    memberId: z.string(),
    provider: z.string(),
    isSuspended: z.boolean(),
  }),
  isSummedUp: true,
  load: async (trx, mail) => {
    const count = await countLeavers(trx);
    return count === 0 ? undefined : { ...mail, count };
  },
  write: ({ member, memberId, provider, isSuspended, count }, { server, publicUrl, t }) => {
    const values = { member: accountName(member), provider, server };
    return {
      subject: t('{member} left the group at {provider}', values),
      status: 'attention',
      plate: plateFor(member),
      intro: [
        t(
          '{member} wanted to sign in to {server}, but {provider} says that they are no longer in a group or domain that may. The sessions that {provider} started have ended.',
          values,
        ),
        isSuspended
          ? t('The account is suspended. If that is not right, resume it under Members.')
          : t(
              'The account and its page stay, and keys and passkeys still work. Suspend it under Members if they should not.',
            ),
        t(
          '{count, plural, one {# member is marked as having left the group.} other {# members are marked as having left the group.}} You get at most one mail an hour about this.',
          { count },
        ),
      ],
      action: {
        label: t('View the member'),
        link: dashboardLink(publicUrl, `operator/members/${memberId}`),
      },
      footer: operatorFooter(server, t),
    };
  },
});

/**
 * Ends the sessions that single sign-on started. Operators get a mail about a new leaver, and about
 * one who is now suspended. They are never suspended themselves, so that a wrong group at the
 * provider cannot leave a server without any. The same holds for the last keeper of an account.
 */
export async function recordLeaver(
  trx: Transaction,
  app: NameServices,
  { id, account_id: accountId }: { id: string; account_id: string },
  { provider, suspends }: { provider: string; suspends: boolean },
): Promise<void> {
  await lockWithKept(trx, accountId, lockWithOperators);
  const isNew = await markLeaver(trx, id);
  if (isNew && !(await isOperator(trx, accountId))) await deleteLoginLinks(trx, accountId);
  const sessions = await deleteSessions(trx, accountId, { identityId: id });
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
  const detail = { sessions, via: 'oidc', by: id };
  if (sessions > 0) await storeEvent(trx, app, { accountId, type: 'sessions_ended', detail });
  const isSuspended =
    suspends &&
    !(await isOperator(trx, accountId)) &&
    !(await findSuspension(trx, accountId)) &&
    !(await findAbandoned(trx, accountId, { without: accountId }));
  if (!isNew && !isSuspended) return;
  const member =
    (await findDisplayName(trx, accountId)) ??
    (await findOwnerAddress(trx, accountId)) ??
    accountId;
  const audit = { provider, accountId, detail: {} };
  if (isNew) await auditSignOn(trx, { ...audit, action: 'members.refuseSignOn' });
  if (isSuspended) {
    await suspendAccount(trx, app, { accountId, reason: null, closesReports: false });
    await auditSignOn(trx, { ...audit, action: 'members.suspendMember' });
  }
  const about = { member, memberId: accountId, provider, isSuspended };
  await mailOperators(trx, app.outbox, leaverMail, about);
}
