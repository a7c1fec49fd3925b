import type { PageItem } from './extracted-page.ts';

export interface ExtractedProfile {
  name?: string | undefined;
  bio?: string | undefined;
  picture?: string | undefined;
  items: PageItem[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Field names that the services use. The first field with a value wins. */
const NAME_FIELDS = [
  'pageTitle',
  'displayName',
  'display_name',
  'fullName',
  'name',
  'title',
  'username',
];
const BIO_FIELDS = ['description', 'bio', 'about'];
const PICTURE_FIELDS = [
  'profilePictureUrl',
  'avatar_url',
  'avatarUrl',
  'avatar',
  'profilePicture',
  'picture',
  'image',
];
const URL_FIELDS = ['url', 'href', 'linkUrl', 'link'];
const TITLE_FIELDS = ['title', 'name', 'label', 'text'];
const LINK_LIST_FIELDS = ['links', 'items', 'children', 'buttons'];
const SOCIAL_LIST_FIELDS = ['socialLinks', 'social_links', 'socials', 'socialIcons'];
const HEADING_TYPE = /head|section|divider/i;
const MAX_DEPTH = 3;

export function extractProfile(root: unknown): ExtractedProfile | undefined {
  const queue: unknown[] = [root];
  // The loop also visits objects that it appends to the queue.
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    const fields = value as JsonObject;
    const items = [
      ...SOCIAL_LIST_FIELDS.flatMap((name) => itemsOf(fields[name], 'social')),
      ...LINK_LIST_FIELDS.flatMap((name) => itemsOf(fields[name], 'link')),
    ];
    if (items.some(({ kind }) => kind !== 'heading'))
      return {
        name: firstText(fields, NAME_FIELDS),
        bio: firstText(fields, BIO_FIELDS),
        picture: firstText(fields, PICTURE_FIELDS),
        items,
      };
    for (const child of Object.values(fields)) queue.push(child);
  }
  return undefined;
}

export function extractPerson(root: unknown): Omit<ExtractedProfile, 'items'> {
  const graph =
    isJsonObject(root) && Array.isArray(root['@graph']) ? root['@graph'] : [root].flat();
  for (const value of graph) {
    const subject =
      isJsonObject(value) && isJsonObject(value['mainEntity']) ? value['mainEntity'] : value;
    if (!isJsonObject(subject) || !/Person|Organization/.test(String(subject['@type']))) continue;
    return {
      name: firstText(subject, ['name']),
      bio: firstText(subject, BIO_FIELDS),
      picture: firstText(subject, ['image', 'logo']),
    };
  }
  return {};
}

function itemsOf(list: unknown, kind: 'link' | 'social', level = 1): PageItem[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((item): PageItem[] => {
    const title = firstText(item, TITLE_FIELDS) ?? '';
    const url = toUrl(firstText(item, URL_FIELDS));
    const type = typeof item['type'] === 'string' ? item['type'] : '';
    const nestedItems =
      level < MAX_DEPTH
        ? LINK_LIST_FIELDS.flatMap((name) => itemsOf(item[name], kind, level + 1))
        : [];
    if (url !== undefined)
      return [
        { kind, url, title: title || (kind === 'social' ? toLabel(type) : '') },
        ...nestedItems,
      ];
    const isHeading = title !== '' && (nestedItems.length > 0 || HEADING_TYPE.test(type));
    return isHeading ? [{ kind: 'heading', title }, ...nestedItems] : nestedItems;
  });
}

/** Adds `mailto:` to email addresses. */
function toUrl(text: string | undefined): string | undefined {
  return text && /^[^\s@/:]+@[^\s@/:]+$/.test(text) ? `mailto:${text}` : text;
}

/** Turns `EMAIL_ADDRESS` into `Email address`. */
function toLabel(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstText(fields: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text = isJsonObject(value) ? (value['url'] ?? value['contentUrl']) : value;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
