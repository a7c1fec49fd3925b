import { LIMITS } from '#contract/shared/limits.ts';
import { countCodePoints } from '#contract/text.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { listPlaces, type Place } from '#db/queries/group-imports.ts';
import { listGroups } from '#db/queries/groups.ts';
import { listAddressHolders } from '#db/queries/invitations.ts';
import { isSamePerson } from '../invitations/check-invitations.ts';
import type { MemberRow } from '../invitations/read-member-csv.ts';
import type { NameRules } from '../names/reserved-names.ts';

interface NamedGroup {
  /** Null if the import creates it. */
  id: string | null;
  name: string;
  lines: number;
  /** Ids. */
  members: Set<string>;
  /** Ids of invitations. */
  invited: Set<string>;
}

/**
 * What a list would change: `leaving` only with `remove_others`. A check also names new groups of
 * people who are invited only after it.
 */
export async function planImport(
  db: ReadDatabase,
  { isReserved }: NameRules,
  rows: readonly MemberRow[],
  { isCheck }: { isCheck: boolean },
) {
  const named = rows.flatMap(({ groups, ...row }) =>
    groups === null ? [] : [{ ...row, groups: splitNames(groups) }],
  );
  const emails = named.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const holders = Map.groupBy(await listAddressHolders(db, emails), ({ email }) => email);
  const existing = await listGroups(db);
  const existingByName = new Map(existing.map((group) => [group.name.toLowerCase(), group]));
  const groups = new Map<string, NamedGroup>();
  const unknown_lines: number[] = [];
  for (const row of named) {
    const same = (holders.get(row.email?.toLowerCase() ?? '') ?? []).filter((holder) =>
      isSamePerson(row, holder, isReserved),
    );
    const members = same.filter(({ state }) => state === 'member');
    const found = members.length > 0 ? members : same;
    const person = found.length === 1 ? found[0] : undefined;
    if (!person) unknown_lines.push(row.line);
    for (const text of row.groups) {
      const key = text.toLowerCase();
      const { id = null, name = text } = existingByName.get(key) ?? {};
      const group = groups.get(key) ?? {
        id,
        name,
        lines: 0,
        members: new Set(),
        invited: new Set(),
      };
      groups.set(key, group);
      group.lines += 1;
      if (person) (person.state === 'member' ? group.members : group.invited).add(person.id);
    }
  }
  const sorted = [...groups.values()]
    .filter(({ id, members, invited }) => isCheck || id || members.size + invited.size > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const newCount = sorted.filter(({ id }) => id === null).length;
  return {
    groups: sorted,
    unknown_lines,
    tooLong: named.find((row) => row.groups.some(isTooLong))?.line,
    isTooMany: newCount > 0 && existing.length + newCount > LIMITS.memberGroups,
    ...(await comparePlaces(db, sorted)),
  };
}

const isTooLong = (name: string) => countCodePoints(name) > LIMITS.groupName;

/** Each name once, whatever its case. */
function splitNames(cell: string): string[] {
  const names = cell.split(/[,;]/).map((name) => name.trim());
  return [...new Map(names.filter(Boolean).map((name) => [name.toLowerCase(), name])).values()];
}

async function comparePlaces(db: ReadDatabase, groups: readonly NamedGroup[]) {
  const places = await listPlaces(
    db,
    groups.flatMap(({ id }) => id ?? []),
  );
  const byGroup = Map.groupBy(places, ({ group_id }) => group_id);
  const leaving: Place[] = [];
  const counts = groups.map(({ id, name, lines, members, invited }) => {
    const current = byGroup.get(id ?? '') ?? [];
    const ids = new Set(current.map((place) => place.account_id ?? place.invitation_id));
    const countNew = (wanted: Set<string>) => [...wanted].filter((one) => !ids.has(one)).length;
    const others = current.filter(
      ({ is_import, account_id, invitation_id }) =>
        is_import && !members.has(account_id ?? '') && !invited.has(invitation_id ?? ''),
    );
    leaving.push(...others);
    return {
      id,
      name,
      lines,
      added: countNew(members),
      invited: countNew(invited),
      removed: others.filter(({ is_other }) => !is_other).length,
    };
  });
  return { counts, leaving };
}
