/**
 * Languages of the dashboard, the mails and the server's own pages. Each except English has a
 * file in `translations/`.
 */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];
