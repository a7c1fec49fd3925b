import mailRoles from 'reserved-email-addresses-list' with { type: 'json' };
import usernames from 'reserved-usernames' with { type: 'json' };
import { sanitizeDisplayName } from './display-name.ts';

/** RFC 2142 mailboxes, mailboxes that certificate authorities trust, and names that clients look up by themselves. */
const MAIL_AND_DISCOVERY = [
  'abuse',
  'admin',
  'administrator',
  'autoconfig',
  'autodiscover',
  'ftp',
  'hostmaster',
  'info',
  'localhost',
  'mailer-daemon',
  'marketing',
  'mta-sts',
  'news',
  'no-reply',
  'noc',
  'postmaster',
  'root',
  'sales',
  'security',
  'ssladmin',
  'sysadmin',
  'support',
  'usenet',
  'uucp',
  'webmaster',
  'wpad',
  'www',
];

/** First segments of the paths that the server answers. */
export const ROUTED_SEGMENTS = [
  'account',
  'site',
  'email-forwarding',
  'stats',
  'hooks',
  'healthz',
  'readyz',
  'openapi.json',
  'docs',
];

/** Tells whether nobody may take a name, compared after sanitizing, with and without hyphens. */
export function reservedNames(more: readonly string[]): (name: string) => boolean {
  const reserved = new Set(
    [...usernames, ...mailRoles, ...MAIL_AND_DISCOVERY, ...ROUTED_SEGMENTS, ...more].map((name) =>
      withoutHyphens(sanitizeDisplayName(name)),
    ),
  );
  return (name) => reserved.has(withoutHyphens(name));
}

function withoutHyphens(name: string): string {
  return name.replaceAll('-', '');
}
