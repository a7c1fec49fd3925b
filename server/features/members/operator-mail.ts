import { z } from 'zod';
import {
  defineOwnerMail,
  type MailContext,
  OwnerMailData,
} from '#server/platform/mail/define-mail.ts';
import {
  accountName,
  dashboardLink,
  operatorFooter,
  operatorName,
  plateFor,
} from '#server/platform/mail/mail-text.ts';

const OperatorMailData = OwnerMailData.extend({
  /** Name of the operator who changed it, if any, and of the member. */
  by: z.string().nullable(),
  /** The identity provider, if a group there changed it. */
  provider: z.string().optional(),
  member: z.string(),
  memberId: z.string(),
  isOperator: z.boolean(),
});

export const operatorMail = defineOwnerMail({
  kind: 'operator',
  to: 'operators',
  schema: OperatorMailData,
  write: ({ accountId, memberId, ...change }, context) =>
    accountId === memberId ? writeOwnRole(change, context) : writeOtherRole(change, context),
});

type RoleChange = Pick<
  z.infer<typeof OperatorMailData>,
  'by' | 'provider' | 'member' | 'isOperator'
>;

/** To the person whose role changed. */
function writeOwnRole({ by, provider, member, isOperator }: RoleChange, context: MailContext) {
  const { server, publicUrl, t } = context;
  const values = { by: provider ?? operatorName(by, t), name: accountName(member), server };
  return isOperator
    ? {
        subject: t('You are now an operator of {server}', { server }),
        intro: [
          t(
            '{by} made your account {name} an operator of {server}: you see all members and reports, and can suspend and delete members. Sign in again to begin.',
            values,
          ),
        ],
        action: { label: t('View your server'), link: dashboardLink(publicUrl, 'operator') },
        footer: operatorFooter(server, t),
      }
    : {
        subject: t('You are no longer an operator of {server}', { server }),
        intro: [
          by === member
            ? t('Your account {name} stepped down. It and its page stay as they are.', values)
            : t(
                '{by} made your account {name} a member of {server} again. It and its page stay as they are.',
                values,
              ),
        ],
      };
}

function writeOtherRole({ by, provider, member, isOperator }: RoleChange, context: MailContext) {
  const { server, publicUrl, t } = context;
  const values = { by: provider ?? operatorName(by, t), member: accountName(member), server };
  return {
    subject: isOperator
      ? t('{member} is now an operator of {server}', values)
      : t('{member} is no longer an operator of {server}', values),
    plate: plateFor(member),
    intro: [
      isOperator
        ? t(
            '{by} made {member} an operator of {server}. Operators can suspend and delete members.',
            values,
          )
        : by === member
          ? t('{member} stepped down.', values)
          : t('{by} made {member} a member of {server} again.', values),
      provider === undefined
        ? t('If that is not right, change it under Members.')
        : t('If that is not right, change the groups at {provider}.', { provider }),
    ],
    action: { label: t('View operators'), link: dashboardLink(publicUrl, 'operator/members') },
    footer: operatorFooter(server, t),
  };
}
