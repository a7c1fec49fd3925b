import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';

/** Top-level domains that do not exist on the internet. */
export const RESERVED_TLDS = [
  'arpa',
  'internal',
  'invalid',
  'local',
  'localdomain',
  'localhost',
  'onion',
];

/** Domains that cannot receive mail from the internet. */
const SPECIAL_USE_DOMAINS = [...RESERVED_TLDS, 'example', 'lan', 'test'];

export function domainOf(email: string): string {
  return email.toLowerCase().split('@')[1] ?? '';
}

type DomainRules = Pick<Config, 'MAIL_DOMAIN' | 'FORWARDING_REFUSED_DOMAINS'>;

/** Explains why the server sends no mail to the address. Undefined if it does. */
export function explainRefusedDomain(
  email: string,
  { MAIL_DOMAIN, FORWARDING_REFUSED_DOMAINS }: DomainRules,
  refusedDomains: readonly string[] = [],
): ((t: Translator) => string) | undefined {
  const domain = domainOf(email);
  if (isSameOrSubdomain(domain, [MAIL_DOMAIN]))
    return (t) => t('Addresses at {domain} belong to this server. Use another one.', { domain });
  const ending = SPECIAL_USE_DOMAINS.find((parent) => isSameOrSubdomain(domain, [parent]));
  if (ending !== undefined)
    return (t) => t('Addresses that end in .{ending} do not exist on the internet.', { ending });
  return isSameOrSubdomain(domain, [...FORWARDING_REFUSED_DOMAINS, ...refusedDomains])
    ? (t) => t('The operator of this server excludes addresses at {domain}.', { domain })
    : undefined;
}

export function isSameOrSubdomain(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}
