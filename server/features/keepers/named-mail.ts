import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, plateFor } from '#server/platform/mail/mail-text.ts';

/** An operator named them for a new account. */
export const namedKeeperMail = defineOwnerMail({
  kind: 'named-keeper',
  limitKind: 'keeper',
  to: 'person',
  schema: OwnerMailData.extend({ account: z.string(), newAccountId: z.string() }),
  write: ({ name, account, newAccountId }, { server, publicUrl, t }) => {
    const values = { name: accountName(name), account: accountName(account), server };
    return {
      subject: t('You look after {account} now', values),
      plate: plateFor(account),
      intro: [
        t(
          'An operator of {server} created {account}, and named {name} to look after it: its page, mail, projects and connections. You sign in with your own account, and switch at the foot of the menu.',
          values,
        ),
      ],
      action: {
        label: t('Open {account}', values),
        link: dashboardLink(publicUrl, '', { keptId: newAccountId }),
      },
    };
  },
});
