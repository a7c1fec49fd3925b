import type { ReadDatabase } from '#db/connections/handles.ts';
import { listUnavailableNames } from '#db/queries/display-names.ts';
import { listSuggestedNames } from '#db/queries/invitations.ts';
import type { Core } from '#server/core.ts';
import { mapInChunks } from '#server/platform/limits/map-in-chunks.ts';
import { toDisplayName } from '../names/display-name.ts';
import type { NameRules } from '../names/reserved-names.ts';
import type { MemberRow } from './read-member-csv.ts';

type NameChecker = Pick<Core, 'config'> & { names: NameRules };

/** Names are tried in rounds, each with one query for all people. */
const MAX_ROUNDS = 50;

/**
 * Returns those of `names` that an account has, that are quarantined, or that an open invitation
 * suggests.
 */
export async function findUnavailableNames(
  db: ReadDatabase,
  { config }: NameChecker,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const [unavailable, suggested] = await Promise.all([
    listUnavailableNames(db, names, { quarantineDays: config.NAME_QUARANTINE_DAYS }),
    listSuggestedNames(db, names),
  ]);
  return new Set([...unavailable, ...suggested]);
}

/**
 * Returns one available name for each person, or null. The names differ from each other and from
 * `used`.
 */
export async function suggestNames(
  db: ReadDatabase,
  app: NameChecker,
  people: readonly MemberRow[],
  used: ReadonlySet<string>,
): Promise<(string | null)[]> {
  const found: (string | null)[] = people.map(() => null);
  const tried = new Set(used);
  const nextNumber = new Map<string, number>();
  let open = await mapInChunks(people, (person, index) => ({
    index,
    bases: deriveNames(person, app.names.isReserved),
  }));
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    const proposed = await mapInChunks(open, ({ index, bases }) => {
      const name = bases.find((base) => !tried.has(base)) ?? addNumber(bases[0], nextNumber);
      if (name === undefined || tried.has(name) || app.names.isReserved(name)) return [];
      tried.add(name);
      return [{ index, name }];
    });
    const proposals = proposed.flat();
    const names = proposals.map(({ name }) => name);
    const unavailable = await findUnavailableNames(db, app, names);
    for (const { index, name } of proposals) if (!unavailable.has(name)) found[index] = name;
    open = open.filter(({ index, bases }) => found[index] === null && bases.length > 0);
  }
  return found;
}

/**
 * Returns names such as `jose` and `jose-mueller`, made from a person's display name, name or
 * address.
 */
function deriveNames(
  { display_name, name, email }: MemberRow,
  isReserved: (name: string) => boolean,
): string[] {
  const toNames = (texts: (string | null)[]) => [
    ...new Set(texts.flatMap((text) => (text !== null && toDisplayName(text, isReserved)) || [])),
  ];
  const names = toNames([display_name, name]);
  // The address is private, so it becomes a name only if there is nothing else.
  return names.length > 0 ? names : toNames([email?.split('@')[0]?.replace(/[._+]/g, ' ') ?? null]);
}

function addNumber(base: string | undefined, nextNumber: Map<string, number>): string | undefined {
  if (base === undefined) return undefined;
  const number = nextNumber.get(base) ?? 2;
  nextNumber.set(base, number + 1);
  return `${base.slice(0, 58)}${number}`;
}
