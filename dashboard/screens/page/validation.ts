import { signal } from '@preact/signals';
import { type BlockField, blockDefinition } from '#contract/blocks.ts';
import { isContactUrl, isWebUrl } from '#contract/web-url.ts';
import type { Block, Site } from './site.ts';
import { withScheme } from './web-address.ts';

/** Flaw that keeps something from being saved. */
export interface ValidationError {
  field: string;
  message: string;
}

/** Block id (or `avatar_url`) whose address is being typed. It counts as unfinished only after the field loses focus. */
export const activeUrlPath = signal('');

const COLOUR_PATTERN = /^#[0-9a-f]{6}$/i;
const TYPE_PATTERN = /^[a-z0-9_-]{1,32}$/;
/** The address of a block whose kind has none. */
const DEFAULT_URL_FIELD: BlockField = { type: 'url', label: 'Address' };
const URL_REQUIREMENT = 'must be a web address, such as https://example.com.';

/** Flaw of an address; `isContact` allows mail and telephone, too. */
function addressError(label: string, address: string, isContact = false): string | undefined {
  if (isWebUrl(address) || (isContact && isContactUrl(address))) return undefined;
  return `${label} ${URL_REQUIREMENT}`;
}

/** Flaw of the value of a field for an address. */
export function urlError(
  { required, allowsContact }: BlockField,
  label: string,
  url: string,
): string | undefined {
  if (url === '') return required && `${label} is missing.`;
  return addressError(label, url, allowsContact);
}

/** Whether a text is a colour as the API takes it. */
export function isColour(text: string): boolean {
  return COLOUR_PATTERN.test(text);
}

/** The first thing that keeps a block from being saved. */
export function blockError({ type, url }: Block): ValidationError | undefined {
  if (!TYPE_PATTERN.test(type))
    return { field: 'type', message: 'The type has 1 to 32 of a to z, 0 to 9, _ and -.' };
  const field = blockDefinition(type)?.fields['url'] ?? DEFAULT_URL_FIELD;
  const sentence = urlError(field, field.label, withScheme(url ?? ''));
  return sentence === undefined ? undefined : { field: 'url', message: sentence };
}

/** Flaw of the picture of the profile. */
export function pictureError({ avatar_url: url }: Pick<Site, 'avatar_url'>): string | undefined {
  return url ? addressError('Picture', withScheme(url)) : undefined;
}

/**
 * A draft that can be saved: addresses get a scheme, unfinished parts keep their stored value, and
 * unfinished new blocks are left out.
 */
export function savableSite(draft: Site, stored: Site): Site {
  const storedBlocks = new Map(stored.blocks.map((block) => [block.id, block]));
  return {
    ...draft,
    avatar_url: pictureError(draft)
      ? stored.avatar_url
      : draft.avatar_url && withScheme(draft.avatar_url),
    custom_theme: draft.custom_theme && savableColours(draft.custom_theme, stored.custom_theme),
    blocks: draft.blocks.flatMap((block) => {
      if (!blockError(block)) return [block.url ? { ...block, url: withScheme(block.url) } : block];
      const kept = storedBlocks.get(block.id);
      return kept ? [kept] : [];
    }),
  };
}

/** Colours of one's own; one that is not finished is as it is stored, or left out. */
export function savableColours<Custom extends object>(
  custom: Custom,
  stored: Partial<Custom> | null = null,
): Custom {
  return Object.fromEntries(
    Object.entries(custom).flatMap(([name, value]) => {
      if (!name.endsWith('_color') || isColour(String(value))) return [[name, value]];
      const kept = stored?.[name as keyof Custom];
      return kept === undefined ? [] : [[name, kept]];
    }),
  ) as Custom;
}
