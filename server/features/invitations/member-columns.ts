import type { MEMBER_COLUMNS } from '#contract/owner/member-lists.ts';

export type MemberColumn = (typeof MEMBER_COLUMNS)[number];
/** Indexes of the columns of a list. Null: not used. */
export type MemberColumns = ReadonlyMap<MemberColumn | null, readonly number[]>;

/** Lines that are searched for titles, and for addresses if no title names them. */
export const SAMPLED_LINES = 50;

/** Titles that programs write in English, German, French, Spanish, Italian and Dutch. */
const TITLES = {
  full_name:
    'full name, display name, anzeigename, vollständiger name, vor- und nachname, vorname nachname, vorname name, nachname vorname, name vorname, nom complet, nom et prénom, prénom et nom, nom prénom, prénom nom, nombre completo, nombre y apellidos, apellidos y nombre, nombre para mostrar, nome completo, nome e cognome, cognome e nome, nome visualizzato, volledige naam, voor- en achternaam, weergavenaam',
  /** The full name, or one part of it if another column has the other part. */
  name: 'name, nom, nombre, nombres, nome, naam',
  first_name:
    'first name, given name, forename, vorname, rufname, prénom, nombre de pila, primer nombre, voornaam, roepnaam',
  last_name_prefix: 'tussenvoegsel, tussenvoegsels, voorvoegsel',
  last_name:
    'last name, surname, family name, nachname, familienname, zuname, nom de famille, apellido, apellidos, primer apellido, cognome, achternaam, familienaam',
  second_last_name: 'segundo apellido',
  display_name: 'adressname, wunschname',
  groups:
    'groups, group, gruppe, gruppen, stimme, stimmgruppe, stimmlage, register, voice, voice part, section, sektion, abteilung, team, mannschaft, groupe, groupes, pupitre, voix, grupo, grupos, voz, gruppo, gruppi, voce, groep, groepen, stemgroep',
  forward_to_email: 'forward to email, forward to, weiterleitung an',
};
type Meaning = keyof typeof TITLES | 'email';

const MEANINGS = new Map(
  Object.entries(TITLES).flatMap(([meaning, titles]) =>
    titles.split(', ').map((title) => [simplify(title), meaning as Meaning] as const),
  ),
);
const EMAIL_TITLE =
  /mail(?!ing|box)|courriel|messagerie|correo|postaelettronica|electronique|^mel$/;

/** Removes case, accents, spaces, punctuation and text in brackets: `E-Mail (privat)`. */
function simplify(title: string): string {
  return title
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function meaningOf(title: string): Meaning | undefined {
  // Other programs call the full name so, but without the underscore.
  if (title.trim().toLowerCase() === 'display_name') return 'display_name';
  const simplified = simplify(title);
  return (
    MEANINGS.get(simplified) ??
    (!title.includes('@') && EMAIL_TITLE.test(simplified) ? 'email' : undefined)
  );
}

/** Also `Jane <jane@example.org>`. */
export function isAddress(cell = ''): boolean {
  const address = /<([^<>]*)>\s*$/.exec(cell)?.[1] ?? cell;
  return /^[^\s@,;|<>]+@[^\s@,;|<>]+$/.test(address.trim());
}

const countFilled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;

function countKnownTitles(cells: readonly string[]): number {
  const meanings = cells.map(meaningOf).filter((meaning) => meaning !== undefined);
  const isLikely = meanings.length > 1 || meanings.length === countFilled(cells);
  return meanings.includes('email') && isLikely ? meanings.length : 0;
}

/** Returns the index of the line with the titles, or of the first person if there are no titles. */
export function findFirstLine(lines: readonly string[][]): number {
  const searched = lines.slice(0, SAMPLED_LINES);
  const person = searched.findIndex((cells) => cells.some(isAddress));
  const end = person === -1 ? searched.length : person;
  const known = searched.slice(0, end).map(countKnownTitles);
  const most = Math.max(0, ...known);
  if (most > 0) return known.indexOf(most);
  // A heading, such as the name of the club, fills one cell.
  const minFilled = Math.min(2, Math.max(0, ...searched.map(countFilled)));
  const first = searched.findIndex((cells) => countFilled(cells) >= minFilled);
  return end <= first ? 0 : first;
}

export function recognizeColumns(titles: string[], lines: readonly string[][]): MemberColumns {
  const meanings = Map.groupBy(titles.keys(), (index) => meaningOf(titles[index]!));
  const email = findAddressColumns(meanings, lines);
  const find = (meaning: Meaning) =>
    (meanings.get(meaning) ?? []).filter((index) => !email.includes(index));
  const names = find('name');
  const [first, last] = [find('first_name').slice(0, 1), find('last_name').slice(0, 1)];
  // "Vorname;Name" and "Nom;Prénom", then "Nome;Cognome" and "Nombre;Apellidos".
  if (first.length > last.length) last.push(...names.splice(0, 1));
  else if (last.length > first.length) first.push(...names.splice(0, 1));
  return new Map<MemberColumn, number[]>([
    ['email', email],
    ['name', [...find('full_name'), ...names]],
    ['first_name', first],
    ['last_name', [...find('last_name_prefix'), ...last, ...find('second_last_name')]],
    ['display_name', find('display_name')],
    ['forward_to_email', find('forward_to_email')],
    ['groups', find('groups')],
  ]);
}

/** Columns with a title for addresses, otherwise those that contain addresses. */
function findAddressColumns(
  meanings: Map<Meaning | undefined, number[]>,
  lines: readonly string[][],
): number[] {
  const titled = meanings.get('email') ?? [];
  // Without columns such as the type of an address.
  const filled = titled.filter((index) => lines.some((cells) => isAddress(cells[index])));
  if (filled.length > 0) return filled;
  const found = [...meanings]
    .flatMap(([meaning, indexes]) => (meaning === 'forward_to_email' ? [] : indexes))
    .filter((index) => {
      const sampled = lines.slice(0, SAMPLED_LINES).map((line) => line[index]?.trim());
      const cells = sampled.filter(Boolean);
      return cells.length > 0 && cells.filter(isAddress).length >= cells.length / 2;
    });
  return found.length > 0 ? found : titled;
}

/** For a list without titles, by a line with an address: a name is in one or two columns. */
export function guessColumns(cells: readonly string[]): MemberColumns {
  const indexes = [...cells.keys()].filter((index) => cells[index]!.trim() !== '');
  const texts = indexes.filter((index) => !cells[index]!.includes('@'));
  const isSplit = texts.length === 2;
  return new Map<MemberColumn, number[]>([
    ['email', indexes.filter((index) => cells[index]!.includes('@'))],
    [isSplit ? 'first_name' : 'name', texts.slice(0, 1)],
    ['last_name', isSplit ? texts.slice(1) : []],
  ]);
}
