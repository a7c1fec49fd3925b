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
const TRUSTED_TITLES = [
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
  'operator',
  'operators',
  'psirt',
  'security-txt',
  'trust',
  'verification',
  'verify',
];

/** Names of parts of a service. */
const SERVICE_WORDS = ['assets', 'health', 'metrics'];

/** First segments of the paths that the server answers. */
export const ROUTE_SEGMENTS = [
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

/** Characters and their look-alikes. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  i: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  rn: 'm',
  vv: 'w',
};

/** Roles that a name must neither begin nor end with, as in `admin-team` and `the-admin`. */
const RESERVED_AFFIXES = new Set(
  [
    'abuse',
    'admin',
    'admins',
    'administrator',
    'bounce',
    'bounces',
    'operator',
    'operators',
    'postmaster',
    'security',
    'support',
  ].map(skeleton),
);

const BRAND = skeleton('nameplate');

/** An id at a forwarding provider, which would take it for that alias instead of a name. */
const PROVIDER_ALIAS_ID = /^[0-9a-f]{24}$/;

/** Shorter names without digits are not compared by look-alikes: `mall` is allowed despite `mail`. */
const MIN_LOOK_ALIKE_LENGTH = 5;

/**
 * Returns a function that tells whether a name is reserved. It ignores hyphens, and also reserves
 * look-alikes of mail roles and offices: `securlty`, `4dmin`, `postrnaster`.
 */
export function createReservedNameCheck(settings: {
  RESERVED_NAMES: readonly string[];
  MAIL_DOMAIN: string;
}): (name: string) => boolean {
  const { RESERVED_NAMES: more, MAIL_DOMAIN: mailDomain } = settings;
  const roles = [...mailRoles, ...MAIL_ROLES, ...TRUSTED_TITLES].map(normalize);
  const others = [usernames, DISCOVERY, SERVICE_WORDS, ROUTE_SEGMENTS, more].flat().map(normalize);
  const reserved = new Set([...roles, ...others, normalize(mailDomain.split('.')[0] ?? '')]);
  const lookAlikes = new Set(roles.map(skeleton));
  return (name) => {
    const shape = skeleton(normalize(name));
    const words = name.split('-').map(skeleton);
    return (
      reserved.has(normalize(name)) ||
      ((/\d/.test(name) || shape.length >= MIN_LOOK_ALIKE_LENGTH) && lookAlikes.has(shape)) ||
      RESERVED_AFFIXES.has(words[0]!) ||
      RESERVED_AFFIXES.has(words.at(-1)!) ||
      shape.includes(BRAND) ||
      PROVIDER_ALIAS_ID.test(name)
    );
  };
}

function normalize(name: string): string {
  return sanitizeDisplayName(name).replaceAll('-', '');
}

/** Reduces names that look alike to the same text. */
function skeleton(name: string): string {
  return name.replace(/rn|vv|[013457i]/g, (part) => LOOK_ALIKES[part]!);
}
