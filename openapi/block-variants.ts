import {
  type BlockField,
  API_BLOCKS,
  type BlockType,
  BLOCK_TYPES,
  maxLengthFor,
} from '#contract/blocks.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Json } from './json.ts';
import type { Schemas, Schema } from './json-schema.ts';
import { CONTACT_URL, WEB_URL } from './patterns.ts';
import type { Variant } from './variant.ts';

/** Kinds of which the API refuses a block that lacks a required field. */
const CHECKED: readonly BlockType[] = ['text', 'link'];

const FORMATS: Readonly<Record<BlockField['type'], string | undefined>> = {
  url: 'An http or https address.',
  picture: 'An http or https address.',
  icon: 'The name of an icon, one to three emoji, or none.',
  time: 'ISO 8601.',
  language: 'A language tag such as en or pt-BR.',
  project: 'The id of a project of yours.',
  text: undefined,
  lines: undefined,
  markdown: undefined,
  zone: undefined,
  flag: undefined,
  number: undefined,
  choice: undefined,
  metric: undefined,
  list: undefined,
};

const URL_OF_OTHERS = schemaOf({
  type: 'url',
  label: 'The target of the block',
  example: 'https://example.com',
});

/** Blocks to store: `required` is what a page needs to show the block. */
export const BLOCK_UPDATES: readonly Variant[] = [
  ...BLOCK_TYPES.map((kind) =>
    variantOf(kind, 'BlockUpdate', requiredOf(API_BLOCKS[kind].fields), { url: URL_OF_OTHERS }),
  ),
  {
    name: 'OtherBlockUpdate',
    description: 'Any other block, stored as it comes.',
    required: ['type'],
    properties: {
      type: { not: { enum: [...CHECKED] }, known: [], examples: ['gallery'] },
      url: URL_OF_OTHERS,
    },
  },
];

/** Blocks as they are read: any may lack what the API does not check. */
export const STORED_BLOCKS: readonly Variant[] = [
  ...BLOCK_TYPES.map((kind) =>
    variantOf(kind, 'Block', CHECKED.includes(kind) ? requiredOf(API_BLOCKS[kind].fields) : []),
  ),
  {
    name: 'OtherBlock',
    description: 'A block of another kind, or one whose fields are not as its kind wants them.',
    required: ['type'],
    properties: { type: { known: [], examples: ['gallery'] } },
  },
];

function variantOf(
  kind: BlockType,
  suffix: string,
  required: readonly string[],
  shared: Schemas = {},
): Variant {
  const { description, fields } = API_BLOCKS[kind];
  return {
    name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${suffix}`,
    description,
    required: ['type', ...required],
    properties: {
      type: { type: 'string', enum: [kind], description: 'The kind of block.' },
      ...shared,
      ...propertiesOf(fields),
    },
  };
}

function requiredOf(fields: Readonly<Record<string, BlockField>>): string[] {
  return Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : []));
}

function propertiesOf(fields: Readonly<Record<string, BlockField>>): Schemas {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

/** The schema of a field; its description is what people read in the editor. */
function schemaOf(field: BlockField): Schema {
  const { type, label, help, default: usual, min, max, options, items, allowsContact } = field;
  const example = exampleOf(field);
  const described = {
    description: [`${label}.`, help, formatOf(field)].filter(Boolean).join(' '),
    ...(usual !== undefined && { default: usual }),
    ...(example !== undefined && { examples: [example] }),
  };
  switch (type) {
    case 'flag':
      return { ...described, type: 'boolean' };
    case 'number':
      return {
        ...described,
        type: 'integer',
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
    case 'choice':
      return { ...described, type: 'string', enum: Object.keys(options ?? {}) };
    case 'list':
      return {
        ...described,
        type: 'array',
        maxItems: LIMITS.blockItems,
        items: {
          type: 'object',
          required: requiredOf(items ?? {}),
          properties: propertiesOf(items ?? {}),
          additionalProperties: {},
        },
      };
    default:
      return {
        ...described,
        type: 'string',
        maxLength: maxLengthFor(field),
        ...((type === 'url' || type === 'picture') && {
          pattern: allowsContact ? `${WEB_URL}|${CONTACT_URL}` : WEB_URL,
        }),
      };
  }
}

/** A sentence about the form of a value, where its type does not say it. */
function formatOf({ type, allowsContact }: BlockField): string | undefined {
  return allowsContact ? 'An http, https, mailto or tel address.' : FORMATS[type];
}

/** A value as an owner would write it. */
function exampleOf({ example, items, options = {} }: BlockField): Json | undefined {
  if (items === undefined) return example ?? Object.keys(options)[0];
  const fields = Object.entries(items).map(([name, field]) => [name, exampleOf(field)] as const);
  return [Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Json];
}
