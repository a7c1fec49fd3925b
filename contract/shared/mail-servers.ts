/**
 * The ports of mail submission. 465 encrypts from the start, others by STARTTLS. Other ports would
 * let the form scan for other services.
 */
export const MAIL_PORTS = [465, 587, 2525, 25] as const;
