import {
  type BlockField,
  API_BLOCKS,
  type BlockType,
  BLOCK_TYPES,
  maxItemsOf,
  maxLengthFor,
} from '#contract/shared/blocks.ts';
import type { Schemas, Schema } from './json-schema.ts';
import type { Json } from './json.ts';
import { CONTACT_URL_PATTERN, WEB_URL_PATTERN } from './patterns.ts';

/** One alternative of a schema, such as one kind of block. */
export interface Variant {
  name: string;
  description: string;
  required: string[];
  /** Properties beyond those of the base schema. */
  properties: Schemas;
}

/** Kinds whose required fields the API checks. Other kinds are stored without a check. */
const VALIDATED_KINDS: readonly BlockType[] = ['text', 'link'];

const FORMAT_DESCRIPTIONS: Readonly<Record<BlockField['type'], string | undefined>> = {
  url: 'An http or https address.',
  picture: 'An http or https address.',
  icon: 'The name of an icon, one to three emoji, or none.',
  time: 'ISO 8601.',
  language: 'A language tag such as en or pt-BR.',
  project: 'The id of one of your projects.',
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

const GENERIC_URL = schemaOf({
  type: 'url',
  label: 'The target of the block',
  example: 'https://example.com',
});

/** Variants in requests. `required` lists the fields that a page needs to show the block. */
export const BLOCK_UPDATES: readonly Variant[] = [
  ...BLOCK_TYPES.map((kind) =>
    variantOf(kind, 'BlockUpdate', requiredOf(API_BLOCKS[kind].fields), { url: GENERIC_URL }),
  ),
  {
    name: 'OtherBlockUpdate',
    description: 'A block of any other kind, stored unchanged.',
    required: ['type'],
    properties: {
      type: { not: { enum: [...VALIDATED_KINDS] }, examples: ['poll'] },
      url: GENERIC_URL,
    },
  },
];

/** Variants in responses. Kinds that the API does not check may lack required fields. */
export const STORED_BLOCKS: readonly Variant[] = [
  ...BLOCK_TYPES.map((kind) =>
    variantOf(
      kind,
      'Block',
      VALIDATED_KINDS.includes(kind) ? requiredOf(API_BLOCKS[kind].fields) : [],
    ),
  ),
  {
    name: 'OtherBlock',
    description: 'A block of another kind, or one whose fields do not match its kind.',
    required: ['type'],
    properties: { type: { examples: ['poll'] } },
  },
];

function variantOf(
  kind: BlockType,
  suffix: string,
  required: readonly string[],
  sharedProperties: Schemas = {},
): Variant {
  const { description, fields } = API_BLOCKS[kind];
  return {
    name: `${kind.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())}${suffix}`,
    description,
    required: ['type', ...required],
    properties: {
      type: { type: 'string', enum: [kind], description: 'The kind of block.' },
      ...sharedProperties,
      ...propertiesOf(fields),
    },
  };
}

function requiredOf(fields: Readonly<Record<string, BlockField>>): string[] {
  return Object.entries(fields).flatMap(([name, { required, onlyFor }]) =>
    required && !onlyFor ? [name] : [],
  );
}

function propertiesOf(fields: Readonly<Record<string, BlockField>>): Schemas {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

/** The description is the label and help text of the editor. */
function schemaOf(field: BlockField): Schema {
  const {
    type,
    label,
    help,
    default: defaultValue,
    min,
    max,
    options,
    itemFields,
    allowsContact,
  } = field;
  const format = allowsContact
    ? 'An http, https, mailto, tel, sms, xmpp, matrix or geo address.'
    : FORMAT_DESCRIPTIONS[type];
  const example = fieldExample(field);
  const annotations = {
    description: [`${label}.`, help, format].filter(Boolean).join(' '),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(example !== undefined && { examples: [example] }),
  };
  switch (type) {
    case 'flag':
      return { ...annotations, type: 'boolean' };
    case 'number':
      return {
        ...annotations,
        type: 'integer',
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
    case 'choice':
      return { ...annotations, type: 'string', enum: Object.keys(options ?? {}) };
    case 'list':
      return {
        ...annotations,
        type: 'array',
        maxItems: maxItemsOf(field),
        items: {
          type: 'object',
          required: requiredOf(itemFields ?? {}),
          properties: propertiesOf(itemFields ?? {}),
          additionalProperties: null,
        },
      };
    default:
      return {
        ...annotations,
        type: 'string',
        maxLength: maxLengthFor(field),
        ...((type === 'url' || type === 'picture') && {
          pattern: allowsContact ? `${WEB_URL_PATTERN}|${CONTACT_URL_PATTERN}` : WEB_URL_PATTERN,
        }),
      };
  }
}

function fieldExample({ example, itemFields, options = {} }: BlockField): Json | undefined {
  if (itemFields === undefined) return example ?? Object.keys(options)[0];
  const fields = Object.entries(itemFields).map(
    ([name, field]) => [name, fieldExample(field)] as const,
  );
  return [Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Json];
}
