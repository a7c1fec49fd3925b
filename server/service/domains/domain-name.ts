import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

const NAME =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Domains that lead nowhere from elsewhere. */
const LOCAL = ['arpa', 'internal', 'invalid', 'local', 'localdomain', 'localhost', 'onion'];

/** The domain that a text means, in lower case and Punycode; undefined if it is none. */
export function domainIn(text: string): string | undefined {
  const typed = text.trim().replace(/(?<=[^.])\.$/, '');
  // What Unicode makes of other characters, such as a slash of full width, is no name either.
  const domain = /[/\\?#@:%\s[\]]/.test(typed) ? '' : domainToASCII(typed.toLowerCase());
  return NAME.test(domain) && isIP(domain) === 0 ? domain : undefined;
}

/** Whether nobody can own a domain, or the server does: `own` are its hosts. */
export function isReservedDomain(domain: string, own: readonly string[]): boolean {
  if ([...own, ...LOCAL].some((host) => domain === host || domain.endsWith(`.${host}`)))
    return true;
  return registrableDomain(domain) === null;
}

/** Whether a domain is one that its owner registered, at which DNS allows no CNAME. */
export function isApex(domain: string): boolean {
  return registrableDomain(domain) === domain;
}

function registrableDomain(domain: string): string | null {
  return parse(domain, { allowPrivateDomains: true }).domain;
}
