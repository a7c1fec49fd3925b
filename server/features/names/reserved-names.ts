import mailRoles from 'reserved-email-addresses-list' with { type: 'json' };
import usernames from 'reserved-usernames' with { type: 'json' };
import { sanitizeDisplayName } from './display-name.ts';

/** Mailbox names of RFC 2142, certificate authorities and mail reports that the package lacks. */
const MAIL_ROLES = [
  'admins',
  'arf',
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
  'listserv',
  'mailman',
  'majordomo',
  'marketing',
  'news',
  'spf',
  'ssladmin',
  'sslmaster',
  'tls-reports',
  'tlsrpt',
  'usenet',
  'uucp',
];

/** Host names that clients look up automatically. */
const DISCOVERY_HOSTS = ['autoconfig', 'autodiscover', 'localhost', 'mta-sts', 'wpad', 'www'];

/** Visitors would think that the owner of such a name represents the service. */
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
  'operator',
  'operators',
  'psirt',
  'security-txt',
  'trust',
  'verification',
  'verify',
];

const SERVICE_WORDS = ['assets', 'health', 'metrics'];

/** First path segments of all routes, except file names, which cannot be display names. */
export const ROUTE_SEGMENTS = [
  'account',
  'site',
  'email-forwarding',
  'stats',
  'hooks',
  'healthz',
  'readyz',
  'docs',
  'confirm',
  'message',
  'owner',
  'mcp',
  'dashboard',
  'examples',
  'fonts',
  'instance',
  'imprint',
  'privacy',
  'terms',
  'pictures',
  '.well-known',
  'report',
  'metric',
  'event',
  'click',
  'unsubscribe',
  'members',
  'share',
];

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

/** Not allowed as the first or last word, as in `admin-team` and `the-admin`. */
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

/** A forwarding provider would mistake such a name for an alias id. */
export const PROVIDER_ALIAS_ID = /^[0-9a-f]{24}$/;

/** Shorter names without digits may look like a reserved name: `mall` is allowed despite `mail`. */
const MIN_LOOK_ALIKE_LENGTH = 5;

/**
 * Returns a function that detects reserved names. It ignores hyphens, and also detects look-alikes
 * of mail roles and titles: `securlty`, `4dmin`, `postrnaster`.
 */
export type ReservedNameCheck = (name: string) => boolean;

export interface NameRules {
  isReserved: ReservedNameCheck;
}

export function createReservedNameCheck(settings: {
  RESERVED_NAMES: readonly string[];
  MAIL_DOMAIN: string;
}): ReservedNameCheck {
  const { RESERVED_NAMES: configuredNames, MAIL_DOMAIN: mailDomain } = settings;
  const roles = [...mailRoles, ...MAIL_ROLES, ...TRUSTED_TITLES].map(normalize);
  const otherNames = [usernames, DISCOVERY_HOSTS, SERVICE_WORDS, ROUTE_SEGMENTS, configuredNames]
    .flat()
    .map(normalize);
  const reserved = new Set([...roles, ...otherNames, normalize(mailDomain.split('.')[0] ?? '')]);
  const lookAlikes = new Set(roles.map(skeleton));
  return (name) => {
    const nameSkeleton = skeleton(normalize(name));
    const words = name.split('-').map(skeleton);
    return (
      reserved.has(normalize(name)) ||
      ((/\d/.test(name) || nameSkeleton.length >= MIN_LOOK_ALIKE_LENGTH) &&
        lookAlikes.has(nameSkeleton)) ||
      RESERVED_AFFIXES.has(words[0]!) ||
      RESERVED_AFFIXES.has(words.at(-1)!) ||
      nameSkeleton.includes(BRAND) ||
      PROVIDER_ALIAS_ID.test(name)
    );
  };
}

function normalize(name: string): string {
  return sanitizeDisplayName(name).replaceAll('-', '');
}

/** Names that look alike have the same skeleton (Unicode TR 39). */
function skeleton(name: string): string {
  return name.replace(/rn|vv|[013457i]/g, (lookAlike) => LOOK_ALIKES[lookAlike]!);
}
