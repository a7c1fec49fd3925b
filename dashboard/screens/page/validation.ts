import { signal } from '@preact/signals';
import { type BlockField, blockDefinition, isFieldUsed } from '#contract/shared/blocks.ts';
import { isContactUrl, isWebUrl } from '#contract/shared/web-url.ts';
import { t } from '#dashboard/translate.ts';
import { endsBeforeStart } from '#page/fields/event-dates.ts';
import type { Block, Site } from './site.ts';
import { withScheme } from './web-address.ts';
import { isDate, toFieldTime } from './zoned-time.ts';

type BlockFields = Readonly<Record<string, BlockField>>;

/**
 * Id of the block whose URL field has the focus (with a path if the field is in a list item), or
 * `avatar_url`. The URL is not reported as invalid until the field loses the focus.
 */
export const activeUrlPath = signal('');

const COLOR_PATTERN = /^#[0-9a-f]{6}$/i;
const TYPE_PATTERN = /^[a-z0-9_-]{1,32}$/;
/** For kinds that define no `url` field. Their blocks may still have one. */
const DEFAULT_URL_FIELD: BlockField = { type: 'url', label: t('Address') };

function addressError(label: string, address: string, allowsContact = false): string | undefined {
  if (isWebUrl(address) || (allowsContact && isContactUrl(address))) return undefined;
  return t('{label} must be a web address, such as https://example.com.', { label });
}

export function urlError(field: BlockField, label: string, url: string): string | undefined {
  return url === ''
    ? missingError(field, label, url)
    : addressError(label, url, field.allowsContact);
}

export function missingError({ required }: BlockField, label: string, text: string) {
  return required && text.trim() === '' ? t('{label} is missing.', { label }) : undefined;
}

export function isColor(text: string): boolean {
  return COLOR_PATTERN.test(text);
}

/** The first error that keeps a block from being saved. */
export function blockError(block: Block): { field: string; message: string } | undefined {
  const { type, url } = block;
  if (!TYPE_PATTERN.test(type))
    return {
      field: 'type',
      message: t('Type must be 1 to 32 characters: a to z, 0 to 9, _ and -.'),
    };
  const fields: BlockFields = blockDefinition(type)?.fields ?? {};
  const urlField = fields['url'] ?? DEFAULT_URL_FIELD;
  const urlMessage = urlError(urlField, urlField.label, withScheme(url ?? ''));
  if (urlMessage) return { field: 'url', message: urlMessage };
  return Object.keys(fields).flatMap((field) => {
    const message = timeError(block, field);
    return message ? [{ field, message }] : [];
  })[0];
}

export function timeError(
  block: Readonly<Record<string, unknown>> & { type?: string },
  name: string,
): string | undefined {
  const fields: BlockFields = blockDefinition(block.type ?? '')?.fields ?? {};
  const field = fields[name];
  const { after } = field ?? {};
  if (!after || !isFieldUsed(block, field!) || !endsBeforeStart(block, after, name))
    return undefined;
  const { label } = fields[after]!;
  return isDate(toFieldTime(block, block[name]))
    ? t('Choose a day that is not before “{field}”.', { field: label })
    : t('Choose a time after “{field}”.', { field: label });
}

/** Labels of the empty fields without which the page leaves out a block, or some of its items. */
export function missingLabels(block: Block): string[] {
  const fields: BlockFields = blockDefinition(block.type)?.fields ?? {};
  const itemLabels = Object.entries(fields).flatMap(([name, { itemFields }]) => {
    const items = itemFields && block[name];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item: Readonly<Record<string, unknown>>) => missingIn(item, itemFields!));
  });
  return [...missingIn(block, fields), ...new Set(itemLabels)];
}

function missingIn(values: Readonly<Record<string, unknown>>, fields: BlockFields): string[] {
  return Object.entries(fields)
    .filter(
      ([name, field]) =>
        field.required &&
        isFieldUsed(values, field) &&
        [name, ...(field.aliases ?? [])].every((key) => String(values[key] ?? '').trim() === ''),
    )
    .map(([, { label }]) => label);
}

export function pictureError({ avatar_url: url }: Pick<Site, 'avatar_url'>): string | undefined {
  return url ? addressError(t('Picture'), withScheme(url)) : undefined;
}

/**
 * Returns the part of a draft that can be saved. URLs get a scheme, invalid values and blocks are
 * replaced with the stored ones, and new blocks with an error are left out.
 */
export function toSavableSite(draft: Site, stored: Site): Site {
  const storedBlocks = new Map(stored.blocks.map((block) => [block.id, block]));
  return {
    ...draft,
    avatar_url: pictureError(draft)
      ? stored.avatar_url
      : draft.avatar_url && withScheme(draft.avatar_url),
    custom_theme: draft.custom_theme && toSavableColors(draft.custom_theme, stored.custom_theme),
    blocks: draft.blocks.flatMap((block) => {
      if (!blockError(block)) return [block.url ? { ...block, url: withScheme(block.url) } : block];
      const storedBlock = storedBlocks.get(block.id);
      return storedBlock ? [storedBlock] : [];
    }),
  };
}

/** Replaces invalid colors with the stored ones, or leaves them out if there are none. */
export function toSavableColors<Custom extends object>(
  custom: Custom,
  stored: Partial<Custom> | null = null,
): Custom {
  return Object.fromEntries(
    Object.entries(custom).flatMap(([name, value]) => {
      if (!name.endsWith('_color') || isColor(String(value))) return [[name, value]];
      const storedValue = stored?.[name as keyof Custom];
      return storedValue === undefined ? [] : [[name, storedValue]];
    }),
  ) as Custom;
}
