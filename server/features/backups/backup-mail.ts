import { z } from 'zod';
import { BACKUP_ERRORS } from '#contract/shared/backup-errors.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { dashboardLink, operatorFooter } from '#server/platform/mail/mail-text.ts';
import { explainBackupError } from './backup-error-text.ts';

export const backupMail = defineOwnerMail({
  kind: 'backup',
  to: 'operators',
  schema: OwnerMailData.extend({ error: z.enum(BACKUP_ERRORS), folder: z.string() }),
  write: ({ error, folder }, { server, publicUrl, t }) => {
    const { text, fix } = explainBackupError(t, error, folder);
    const link = dashboardLink(publicUrl, 'operator#backupFailed');
    return {
      subject: t('The backup of {server} failed', { server }),
      status: 'attention',
      plate: server,
      intro: [
        `${t('No new backup was stored.')} ${text}`,
        ...(fix === undefined ? [] : [`${t('How to fix it')}:`, fix]),
        t('The server tries again within an hour. You get at most one of these mails per day.'),
      ],
      action: { label: t('View your server'), link },
      footer: operatorFooter(server, t),
    };
  },
});
