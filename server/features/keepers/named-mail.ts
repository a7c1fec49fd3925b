import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, plateFor } from '#server/platform/mail/mail-text.ts';

/** An operator named them for the new account `accountId`. */
export const namedKeeperMail = defineOwnerMail({
  kind: 'named-keeper',
  limitKind: 'keeper',
  to: 'keepers',
  schema: OwnerMailData,
  write: ({ name, keptId }, { server, publicUrl, t }) => {
    const values = { account: accountName(name), server };
    return {
      subject: t('You look after {account} now', values),
      plate: plateFor(name),
      intro: [
        t(
          'An operator of {server} created {account}, and named you to look after it: its page, mail, projects and connections. You sign in with your own account, and switch at the foot of the menu.',
          values,
        ),
      ],
      action: {
        label: t('Open {account}', values),
        link: dashboardLink(publicUrl, '', { keptId }),
      },
    };
  },
});
