/** Accepts an array, one group, or groups with commas between them. */
export function readGroups(claim: unknown): string[] {
  const groups = typeof claim === 'string' ? claim.split(',') : [claim].flat();
  return groups.filter((group) => typeof group === 'string').map(normalizeGroup);
}

/** Keycloak's path of the group `board` is `/board`. */
function normalizeGroup(group: string): string {
  return group.trim().replace(/^\//, '');
}

/** Returns undefined for members of one of the groups. Only `groups_not_allowed` denies that. */
export function findGroupProblem(claim: unknown, allowedGroups: readonly string[]) {
  const groups = readGroups(claim);
  if (allowedGroups.some((group) => groups.includes(normalizeGroup(group)))) return undefined;
  if (claim === undefined) return 'groups_missing';
  const isList = [claim].flat().every((group) => typeof group === 'string');
  return isList ? 'groups_not_allowed' : 'groups_invalid';
}
