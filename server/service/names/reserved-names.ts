import mailRoles from 'reserved-email-addresses-list' with { type: 'json' };
import usernames from 'reserved-usernames' with { type: 'json' };
import { sanitizeDisplayName } from './display-name.ts';

/**
 * Mailboxes that programs and people trust: of RFC 2142, of certificate authorities, of reports
 * about mail. The packages have most of them; these must not depend on what their next version has.
 */
const MAIL_ROLES = [
  'abuse',
  'admin',
  'administrator',
  'admins',
  'arf',
  'bounce',
  'bounces',
  'caa',
  'certadmin',
  'dkim',
  'dmarc',
  'dmarc-report',
  'dmarc-reports',
  'dnsadmin',
  'domainadmin',
  'fbl',
  'feedback-loop',
  'ftp',
  'helpdesk',
  'hostmaster',
  'info',
  'listserv',
  'mailer-daemon',
  'mailman',
  'majordomo',
  'marketing',
  'news',
  'no-reply',
  'noc',
  'postmaster',
  'root',
  'sales',
  'security',
  'spf',
  'ssladmin',
  'sslmaster',
  'support',
  'sysadmin',
  'tls-reports',
  'tlsrpt',
  'usenet',
  'uucp',
  'webmaster',
];

/** Names that clients look up by themselves. */
const DISCOVERY = ['autoconfig', 'autodiscover', 'localhost', 'mta-sts', 'wpad', 'www'];

/** Names whose holder people would trust to speak for the service. */
const OFFICES = [
  'ceo',
  'cert',
  'certificate',
  'certificates',
  'cfo',
  'csirt',
  'cto',
  'dmca',
  'dpo',
  'founder',
  'gdpr',
  'moderator',
  'moderators',
  'nameplate',
  'psirt',
  'security-txt',
  'trust',
  'verification',
  'verify',
];

/** Names of parts of a service. */
const PARTS = ['assets', 'health', 'metrics'];

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
  'confirm',
  'owner',
  'mcp',
  'dashboard',
  'examples',
  'fonts',
  'pictures',
  'favicon.ico',
  'robots.txt',
  '.well-known',
  // At domains of accounts.
  'report',
  'card.png',
  'card.vcf',
  'qr.svg',
  'page.json',
  'metric',
  'click',
];

/** Roles that stay roles with something behind them. */
const ROLE_WITH_MORE = /^(?:abuse|admin|bounces?|nameplate|postmaster|security|support)(?:-|$)/;

/** An id at a forwarding provider, which would take it for that alias instead of a name. */
const PROVIDERS_ID = /^[0-9a-f]{24}$/;

/**
 * Tells whether nobody may take a name: compared after sanitizing, with and without hyphens, and
 * the roles of mail also with digits in the place of the letters that they look like.
 */
export function reservedNames(settings: {
  RESERVED_NAMES: readonly string[];
  MAIL_DOMAIN: string;
}): (name: string) => boolean {
  const { RESERVED_NAMES: more, MAIL_DOMAIN: mailDomain } = settings;
  const roles = [...mailRoles, ...MAIL_ROLES].map(plain);
  const others = [usernames, DISCOVERY, OFFICES, PARTS, ROUTED_SEGMENTS, more].flat().map(plain);
  const reserved = new Set([...roles, ...others, plain(mailDomain.split('.')[0] ?? '')]);
  const lookAlikes = new Set(roles.map(skeleton));
  return (name) =>
    reserved.has(plain(name)) ||
    (/[01]/.test(name) && lookAlikes.has(skeleton(plain(name)))) ||
    ROLE_WITH_MORE.test(name.replaceAll('0', 'o').replaceAll('1', 'i')) ||
    PROVIDERS_ID.test(name);
}

function plain(name: string): string {
  return sanitizeDisplayName(name).replaceAll('-', '');
}

/** Reduces names that look alike to the same text. */
function skeleton(name: string): string {
  return name.replaceAll('0', 'o').replace(/[1i]/g, 'l');
}
