import { isAllowedAddress } from '../outbound/allowed-address.ts';
import { proofName, type Target } from './records.ts';

/** What DNS says about a domain; undefined where it gave no definite answer. */
export interface Findings {
  tokens: readonly string[] | undefined;
  addresses: readonly string[] | undefined;
  target: Target;
  /** Whether another account has the domain, and its proof is there, too. */
  isTaken?: boolean;
}

/** Where a domain is with an account: whether it was verified, and whether that is over now. */
interface Standing {
  domain: string;
  token: string;
  isVerified: boolean;
  isOver: boolean;
}

/** Number of addresses that a sentence names. */
const NAMED = 2;

/** What the owner of a domain has to put right, in a sentence; null if nothing is. */
export function problemIn(findings: Findings, standing: Standing): string | null {
  return problemOfProof(findings, standing) ?? problemOfAddress(findings, standing.domain);
}

/** What the account hears that had a domain before. */
export function lostWords(domain: string): string {
  return `Another account of this server has proved that it owns ${domain}.`;
}

function problemOfProof(
  { tokens, isTaken }: Findings,
  { domain, token, isVerified, isOver }: Standing,
): string | undefined {
  const name = proofName(domain);
  if (tokens === undefined)
    return `The DNS servers of ${domain} do not answer. The next check is soon.`;
  if (isTaken) return lostWords(domain);
  if (tokens.includes(token)) return undefined;
  if (isOver) return `The TXT record at ${name} was gone for days, so the page is no longer there.`;
  if (isVerified) return `The TXT record at ${name} is gone. Set it again to keep the domain.`;
  return tokens.length > 0
    ? `The TXT record at ${name} has another value.`
    : `There is no TXT record at ${name} yet. New records can take an hour to appear.`;
}

function problemOfAddress({ addresses, target }: Findings, domain: string): string | null {
  if (addresses === undefined || target.addresses.length === 0) return null;
  if (addresses.length === 0) return `${domain} has no address yet. Set the records above.`;
  const elsewhere = addresses.filter((one) => !target.addresses.includes(one));
  if (elsewhere.length === 0) return null;
  // What only the server's own network knows is not for owners.
  const named = elsewhere.filter((one) => isAllowedAddress(one, false)).slice(0, NAMED);
  const where = named.join(' and ') || 'another address';
  return elsewhere.length < addresses.length
    ? `${domain} also leads to ${where}. Remove that record.`
    : `${domain} leads to ${where}, not to this server.`;
}
