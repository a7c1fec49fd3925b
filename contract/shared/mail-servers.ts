/** `tls` encrypts from the start, as port 465 needs. `starttls` is for all other ports. */
export const MAIL_SECURITIES = ['tls', 'starttls'] as const;
export type MailSecurity = (typeof MAIL_SECURITIES)[number];

/** The ports of mail submission. Others would let the form scan for other services. */
export const MAIL_PORTS = [465, 587, 2525, 25] as const;
