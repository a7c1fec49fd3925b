import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, plateFor } from '#server/platform/mail/mail-text.ts';

/** An operator named them for the new account `accountId`, or it has a new owner. */
export const namedKeeperMail = defineOwnerMail({
  kind: 'named-keeper',
  limitKind: 'keeper',
  to: 'keepers',
  schema: OwnerMailData.extend({ owner: z.string().optional() }),
  write: ({ name, keptId, owner }, { server, publicUrl, t }) => {
    const values = { account: accountName(name), server, owner: accountName(owner ?? '') };
    return {
      subject: owner
        ? t('{owner} owns {account} now', values)
        : t('You look after {account} now', values),
      plate: plateFor(name),
      intro: [
        owner
          ? t(
              '{account} at {server} was handed over to {owner}, who now decides who looks after it, and can delete it.',
              values,
            )
          : t(
              'An operator of {server} created {account}, and named you to look after it: its page, mail, projects and connections.',
              values,
            ),
        t('You sign in with your own account, and switch in the menu.'),
      ],
      action: {
        label: t('Open {account}', values),
        link: dashboardLink(publicUrl, '', { keptId }),
      },
    };
  },
});
