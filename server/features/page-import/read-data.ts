import type { Piece } from './found-page.ts';

/** A profile in the JSON that pages carry along for their own scripts, such as `__NEXT_DATA__`. */
export interface FoundProfile {
  name?: string | undefined;
  bio?: string | undefined;
  picture?: string | undefined;
  pieces: Piece[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Names of fields, as services call them; the first that holds something counts. */
const NAMES = ['pageTitle', 'displayName', 'display_name', 'fullName', 'name', 'title', 'username'];
const BIOS = ['description', 'bio', 'about'];
const PICTURES = [
  'profilePictureUrl',
  'avatar_url',
  'avatarUrl',
  'avatar',
  'profilePicture',
  'picture',
  'image',
];
const URLS = ['url', 'href', 'linkUrl', 'link'];
const TITLES = ['title', 'name', 'label', 'text'];
const LINKS = ['links', 'items', 'children', 'buttons'];
const SOCIALS = ['socialLinks', 'social_links', 'socials', 'socialIcons'];
const HEADING = /head|section|divider/i;
/** Levels of links inside links, such as those of a collection. */
const LEVELS = 3;

/** Finds the object with links that is nested least deeply, and reads it as a profile. */
export function readData(root: unknown): FoundProfile | undefined {
  const queue: unknown[] = [root];
  // The queue grows meanwhile.
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    const fields = value as Fields;
    const pieces = [
      ...SOCIALS.flatMap((name) => piecesOf(fields[name], 'social')),
      ...LINKS.flatMap((name) => piecesOf(fields[name], 'link')),
    ];
    if (pieces.some(({ kind }) => kind !== 'heading'))
      return {
        name: textIn(fields, NAMES),
        bio: textIn(fields, BIOS),
        picture: textIn(fields, PICTURES),
        pieces,
      };
    for (const child of Object.values(fields)) queue.push(child);
  }
  return undefined;
}

/** Reads a person as schema.org describes one, who may be what the page is about. */
export function readPerson(root: unknown): Omit<FoundProfile, 'pieces'> {
  const graph = isFields(root) && Array.isArray(root['@graph']) ? root['@graph'] : [root].flat();
  for (const value of graph) {
    const subject = isFields(value) && isFields(value['mainEntity']) ? value['mainEntity'] : value;
    if (!isFields(subject) || !/Person|Organization/.test(String(subject['@type']))) continue;
    return {
      name: textIn(subject, ['name']),
      bio: textIn(subject, BIOS),
      picture: textIn(subject, ['image', 'logo']),
    };
  }
  return {};
}

function piecesOf(list: unknown, kind: 'link' | 'social', level = 1): Piece[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isFields).flatMap((item): Piece[] => {
    const title = textIn(item, TITLES) ?? '';
    const url = addressOf(textIn(item, URLS));
    const type = typeof item['type'] === 'string' ? item['type'] : '';
    const inner =
      level < LEVELS ? LINKS.flatMap((name) => piecesOf(item[name], kind, level + 1)) : [];
    if (url !== undefined)
      return [{ kind, url, title: title || (kind === 'social' ? wordOf(type) : '') }, ...inner];
    const isHeading = title !== '' && (inner.length > 0 || HEADING.test(type));
    return isHeading ? [{ kind: 'heading', title }, ...inner] : inner;
  });
}

/** An address; one of mail may be without its scheme. */
function addressOf(text: string | undefined): string | undefined {
  return text && /^[^\s@/:]+@[^\s@/:]+$/.test(text) ? `mailto:${text}` : text;
}

/** The type of a link as a word: `EMAIL_ADDRESS` becomes `Email address`. */
function wordOf(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first text in some fields; of a picture that is an object, its address. */
function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text = isFields(value) ? (value['url'] ?? value['contentUrl']) : value;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
