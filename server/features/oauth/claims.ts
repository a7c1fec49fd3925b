import type { AccountClaims } from '#db/queries/oauth-accounts.ts';
import { OPERATORS_SLUG } from '../groups/group-slug.ts';

/** The claims of each scope. */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'preferred_username', 'picture', 'profile', 'locale', 'zoneinfo'],
  email: ['email', 'email_verified'],
  groups: ['groups', 'group_names'],
};

const OPERATORS = { slug: OPERATORS_SLUG, name: 'Operators' };
const MAX_GROUPS = 50;
/** Of a claim, because websites put them into cookies and headers. */
const MAX_GROUP_BYTES = 2_000;

/** What the account does not have is absent. `sharedGroups`: ids of those that the website may know. */
export function toClaims(
  subject: string,
  account: AccountClaims,
  { pagesOrigin, sharedGroups }: { pagesOrigin: string; sharedGroups: readonly string[] },
): { sub: string; [claim: string]: unknown } {
  const { display_name, page_title, email, language, time_zone, avatar_url } = account;
  const allGroups = [
    ...(account.is_operator ? [OPERATORS] : []),
    ...account.groups.filter(({ id }) => sharedGroups.includes(id)),
  ];
  const groups = limitGroups(allGroups);
  const claims = {
    name: page_title ?? display_name,
    preferred_username: display_name,
    picture: avatar_url === null ? null : URL.parse(avatar_url, pagesOrigin)?.href,
    profile:
      display_name !== null && account.page_visible ? `${pagesOrigin}/@${display_name}` : null,
    locale: language,
    zoneinfo: time_zone,
    email,
    email_verified: email === null ? null : true,
    groups: groups.map(({ slug }) => slug),
    group_names: groups.map(({ name }) => name),
  };
  const known = Object.entries(claims).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(known), sub: subject };
}

function limitGroups<Group extends { slug: string; name: string }>(
  groups: readonly Group[],
): Group[] {
  let slugBytes = 0;
  let nameBytes = 0;
  return groups.slice(0, MAX_GROUPS).filter(({ slug, name }) => {
    slugBytes += Buffer.byteLength(slug);
    nameBytes += Buffer.byteLength(name);
    return Math.max(slugBytes, nameBytes) <= MAX_GROUP_BYTES;
  });
}
