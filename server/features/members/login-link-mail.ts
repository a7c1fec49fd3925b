import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, operatorName } from '#server/platform/mail/mail-text.ts';

/** To an operator, about a login link that another one created. */
export const loginLinkMail = defineOwnerMail({
  kind: 'link',
  to: 'person',
  schema: OwnerMailData.extend({ by: z.string().nullable() }),
  write: ({ name, by }, { server, publicUrl, t }) => ({
    subject: t('Login link for {name} at {server}', { name: accountName(name), server }),
    status: 'security',
    intro: [
      t(
        '{by} created a login link for your account at {server}. Anyone who opens it can sign in as you.',
        { by: operatorName(by, t), server },
      ),
      t('If you did not ask for it, sign in and end the sessions that you do not recognize.'),
    ],
    action: { label: t('Sign in'), link: dashboardLink(publicUrl, '') },
  }),
});
