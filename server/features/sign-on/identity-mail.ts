import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink } from '#server/platform/mail/mail-text.ts';

export const identityMail = defineOwnerMail({
  kind: 'identity',
  to: 'person',
  schema: OwnerMailData.extend({ provider: z.string() }),
  write: ({ name, provider }, { server, publicUrl, t }) => ({
    subject: t('{provider} was linked to {name} at {server}', {
      name: accountName(name),
      provider,
      server,
    }),
    status: 'security',
    intro: [
      t(
        'A login of {provider} was linked to your account at {link}. Anyone with that login can now log in here.',
        { provider, link: publicUrl },
      ),
      t(
        'If that was not you, sign in, unlink it under Security, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Open the dashboard'), link: dashboardLink(publicUrl, 'settings') },
  }),
});
