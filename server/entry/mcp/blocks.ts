import type { Schema } from '#contract/openapi/json-schema.ts';
import { API_BLOCKS, type BlockField, BLOCK_TYPES } from '#contract/shared/blocks.ts';
import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { THEMES } from '#contract/themes.ts';

type Fields = Readonly<Record<string, BlockField>>;

export const BLOCKS_RESOURCE = {
  uri: 'nameplate://blocks',
  name: 'blocks',
  title: 'Blocks and themes of pages',
  description: 'Every type of block with its fields, and the preset themes.',
  mimeType: 'application/json',
};

/** For clients that cannot read resources. `*` marks required fields. */
const FIELDS_BY_TYPE = BLOCK_TYPES.map(
  (type) => `${type}: ${listFields(API_BLOCKS[type].fields)}`,
).join('; ');

/** Replaces the full block schemas, which would make up most of the tool list. */
export const BLOCKS_SCHEMA: Schema = {
  type: 'array',
  description: `All blocks in display order. Blocks that you leave out are deleted; keep the id of those that stay. Fields by type, * means required: ${FIELDS_BY_TYPE}. The type page has settings of the whole page. Values of the fields: resource ${BLOCKS_RESOURCE.uri}.`,
  maxItems: LIMITS.blockEntries,
  items: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Default: a new UUID.' },
      type: { type: 'string', enum: [...BLOCK_TYPES] },
      enabled: { type: 'boolean', default: true },
    },
    required: ['type'],
    additionalProperties: true,
  },
};

export const THEME_ID_SCHEMA: Schema = {
  type: ['string', 'null'],
  description: `The id of a preset theme, or null to use custom_theme. ${THEMES.map(({ name, id }) => `${name}: ${id}`).join('; ')}; the server's own, if \`availableThemes\` has it: ${CLUB_THEME_ID}.`,
};

export function describeBlocks(): string {
  return JSON.stringify({
    blocks: Object.fromEntries(
      BLOCK_TYPES.map((type) => {
        const { description, fields } = API_BLOCKS[type];
        return [type, { description, fields: describeFields(fields) }];
      }),
    ),
    themes: THEMES.map(({ id, name }) => ({ id, name })),
  });
}

function listFields(fields: Fields): string {
  return Object.entries(fields)
    .map(
      ([name, { required, itemFields }]) =>
        `${name}${required ? '*' : ''}${itemFields ? `[${listFields(itemFields)}]` : ''}`,
    )
    .join(', ');
}

function describeFields(fields: Fields): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { options, itemFields, itemNoun: _itemNoun, ...field }]) => [
      name,
      {
        ...field,
        ...(options && { options: Object.keys(options) }),
        ...(itemFields && { items: describeFields(itemFields) }),
      },
    ]),
  );
}
