import { LIMITS } from '../../../contract/limits.ts';
import type { Profile } from './provider.ts';
import type { Admission } from './sign-on.ts';

/** Whether a user without an account gets one. */
export function isAdmitted(profile: Profile, { everybody, groups, domains }: Admission): boolean {
  const memberships = new Set<unknown>([profile['groups']].flat());
  const domain = profile['email_verified'] === true ? domainOf(profile['email']) : undefined;
  return (
    everybody ||
    groups.some((group) => memberships.has(group)) ||
    (domain !== undefined && domains.includes(domain))
  );
}

/** Name or address of a user, for the owner to know which login is linked; null if there is none. */
export function labelOf(profile: Profile): string | null {
  for (const claim of ['email', 'preferred_username', 'name']) {
    const text = textOf(profile[claim]).replace(/\p{C}/gu, '').trim();
    if (text !== '') return [...text].slice(0, LIMITS.keyLabel).join('');
  }
  return null;
}

/** Display name to propose for a new account: the user name, without the domain that some have. */
export function proposedName(profile: Profile): string | undefined {
  const [name = ''] = textOf(profile['preferred_username']).split('@');
  return name.replace(/[._]+/g, '-').slice(0, 4 * LIMITS.displayNameMax) || undefined;
}

function domainOf(email: unknown): string | undefined {
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(textOf(email)) ?? [];
  return domain?.toLowerCase();
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
