import { z } from 'zod';
import { setKeeperToken } from '#db/queries/keepers.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, plateFor } from '#server/platform/mail/mail-text.ts';

export const keeperInvitationMail = defineOwnerMail({
  kind: 'keeper',
  to: 'person',
  schema: OwnerMailData.extend({
    invitationId: z.string(),
    account: z.string(),
    by: z.string(),
  }),
  key: ({ invitationId }) => invitationId,
  load: async (trx, mail, { token, tokenHash }) =>
    (await setKeeperToken(trx, mail.invitationId, tokenHash)) ? { ...mail, token } : undefined,
  write: ({ name, account, by, token }, { server, publicUrl, t }) => {
    const values = {
      name: accountName(name),
      account: accountName(account),
      by: accountName(by),
      server,
    };
    return {
      subject: t('{by} asks you to help with {account}', values),
      headline: t('Look after {account} together?', values),
      plate: plateFor(account),
      intro: [
        t(
          '{by} asks {name} to look after {account} at {server}, too: its page, mail, projects and connections.',
          values,
        ),
        t('You keep your own account, and can leave at any time.'),
      ],
      action: { label: t('See the invitation'), link: dashboardLink(publicUrl, `keep#${token}`) },
      outro: [t('The invitation is for {name} and ends after 14 days.', values)],
    };
  },
});
