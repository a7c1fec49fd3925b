/** Reasons for reporting a page, with their labels. */
export const REPORT_REASONS = {
  scam: 'Scam or phishing',
  impersonation: 'Pretends to be somebody else',
  harassment: 'Harassment or hate',
  malware: 'Malware or spam',
  illegal: 'Illegal content',
  other: 'Something else',
} as const;

export type ReportReason = keyof typeof REPORT_REASONS;
