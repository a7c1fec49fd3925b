import { blockDefinition, type BlockField } from './shared/blocks.ts';
import { CustomThemeUpdate } from './custom-theme.ts';
import { Site } from './site.ts';

/** At most this many fields are named. */
const MAX_FIELDS = 10;
const COMMON_BLOCK_FIELDS = ['id', 'type', 'enabled'];

type Fields = Readonly<Record<string, BlockField>>;

/**
 * Returns the paths of the fields in a change of the site that have no effect: unknown fields, and the
 * types of blocks that the page does not show. `shape` has the fields of the request.
 */
export function findIgnoredFields(shape: object, body: object): string[] {
  const { custom_theme: theme, blocks = [] } = body as {
    custom_theme?: unknown;
    blocks?: unknown[];
  };
  return [
    // Fields of a response that is sent back are no mistake.
    ...unknownKeys(body, [...Object.keys(shape), ...Object.keys(Site.shape)], ''),
    ...unknownKeys(theme, Object.keys(CustomThemeUpdate.shape), 'custom_theme.'),
    ...blocks.flatMap((block, index) => {
      const path = `blocks.${index}.`;
      const definition = blockDefinition(String((block as { type: unknown }).type));
      if (!definition) return [`${path}type`];
      return unknownFields(block, definition.fields, path, COMMON_BLOCK_FIELDS);
    }),
  ].slice(0, MAX_FIELDS);
}

function unknownFields(
  value: unknown,
  fields: Fields,
  path: string,
  otherKeys: readonly string[] = [],
): string[] {
  const names = Object.entries(fields).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
  const nested = Object.entries(fields).flatMap(([name, { itemFields }]) => {
    const items = (value as Record<string, unknown> | null)?.[name];
    if (!itemFields || !Array.isArray(items)) return [];
    return items.flatMap((item, index) =>
      unknownFields(item, itemFields, `${path}${name}.${index}.`),
    );
  });
  return [...unknownKeys(value, [...otherKeys, ...names], path), ...nested];
}

function unknownKeys(value: unknown, known: readonly string[], path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => path + key);
}
