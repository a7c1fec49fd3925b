import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { REPORT_REASONS, reportReasonLabels } from '#contract/shared/report-reasons.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import {
  dashboardLink,
  operatorFooter,
  preventAutoLinks,
} from '#server/platform/mail/mail-text.ts';

export const reportMail = defineOwnerMail({
  kind: 'report',
  to: 'operators',
  schema: OwnerMailData.extend({
    page: z.string(),
    reason: z.enum(REPORT_REASONS),
    text: z.string(),
  }),
  isSummedUp: true,
  load: async (trx, mail, { config, publicUrl }) => {
    const openReports = await countOpenReports(trx, LIMITS.countedReports);
    if (openReports === 0) return undefined;
    return { ...mail, pageUrl: `${config.PAGES_URL ?? publicUrl}/@${mail.page}`, openReports };
  },
  write: ({ pageUrl, reason, text, openReports: count }, { server, publicUrl, t }) => ({
    subject: t('A page was reported at {server}', { server }),
    headline: t('A page was reported'),
    status: 'attention',
    plate: server,
    facts: [
      [t('Page'), pageUrl],
      [t('Reason'), reportReasonLabels(t)[reason]],
      ...(text === '' ? [] : [[t('Message'), preventAutoLinks(text, 300)] as const]),
    ],
    intro: [
      t(
        '{count, plural, one {# report is open.} other {# reports are open.}} You get at most one mail an hour about this.',
        { count },
      ),
    ],
    action: { label: t('View reports'), link: dashboardLink(publicUrl, 'operator/reports') },
    footer: operatorFooter(server, t),
  }),
});
