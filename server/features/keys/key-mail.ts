import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink, formatTime } from '#server/platform/mail/mail-text.ts';

export const keyMail = defineOwnerMail({
  kind: 'key',
  to: 'keepers',
  schema: OwnerMailData.extend({ key: z.string() }),
  write: ({ name, key, requestedAt, timeZone, keptId }, { server, publicUrl, t }) => ({
    subject: t('New API key for {name} at {server}', { name: accountName(name), server }),
    headline: t('New API key'),
    status: 'security',
    facts: [
      [t('Account'), accountName(name)],
      [t('Key'), key],
      [t('Time'), formatTime(requestedAt, t, timeZone)],
    ],
    intro: [
      t(
        'If that was not you, sign in, revoke the key, and end every session that you do not recognize.',
      ),
    ],
    action: { label: t('Review your keys'), link: dashboardLink(publicUrl, 'keys', { keptId }) },
  }),
});
