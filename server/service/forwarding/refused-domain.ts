/** Domains that lead nowhere, or to where no mail from outside belongs. */
const SPECIAL_USE = [
  'arpa',
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'test',
];

/** Whether no mail may be forwarded to a domain: one of special use, or one of the operator's. */
export function isRefusedDomain(domain: string, more: readonly string[]): boolean {
  return isWithin(domain, [...SPECIAL_USE, ...more]);
}

/** Whether a domain is one of these, or below one. */
export function isWithin(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}
