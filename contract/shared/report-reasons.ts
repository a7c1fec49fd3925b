import type { Translator } from '#translations/translator.ts';

export const REPORT_REASONS = [
  'scam',
  'impersonation',
  'harassment',
  'malware',
  'illegal',
  'other',
] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

export function reportReasonLabels(t: Translator): Readonly<Record<ReportReason, string>> {
  return {
    scam: t('Scam or phishing'),
    impersonation: t('Impersonation'),
    harassment: t('Harassment or hate'),
    malware: t('Malware or spam'),
    illegal: t('Illegal content'),
    other: t('Something else'),
  };
}
