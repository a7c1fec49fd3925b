import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, formatTime } from '#server/platform/mail/mail-text.ts';

export const passkeyMail = defineOwnerMail({
  kind: 'passkey',
  to: 'person',
  schema: OwnerMailData,
  write: ({ name, requestedAt, timeZone }, { server, publicUrl, t }) => ({
    subject: t('New passkey for {name} at {server}', { name: accountName(name), server }),
    headline: t('New passkey'),
    status: 'security',
    facts: [
      [t('Account'), accountName(name)],
      [t('Time'), formatTime(requestedAt, t, timeZone)],
    ],
    intro: [
      t('Anyone who has the passkey can log in.'),
      t(
        'If that was not you, sign in, remove the passkey, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Review your passkeys'), link: dashboardLink(publicUrl, 'settings') },
  }),
});
