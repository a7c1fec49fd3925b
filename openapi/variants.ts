import {
  type BlockField,
  type BlockKind,
  BLOCK_KINDS,
  BLOCKS,
  maxLengthOf,
} from '../contract/blocks.ts';
import { LIMITS } from '../contract/limits.ts';
import { NOT_BLANK } from '../contract/text.ts';
import type { Schema, Schemas } from './json-schema.ts';
import { CONTACT_URL, WEB_URL } from './patterns.ts';

interface Variant {
  name: string;
  description: string;
  required: string[];
  /** Properties of the variant beyond the schema that all variants share. */
  properties: Schemas;
}

const CHAT_MESSAGES: readonly Variant[] = [
  {
    name: 'ChatMessageWithContent',
    description: 'A message with a text, and embeds if you like.',
    required: ['content'],
    properties: { content: { type: 'string', minLength: 1, pattern: NOT_BLANK } },
  },
  {
    name: 'ChatMessageWithEmbeds',
    description: 'A message with at least one embed, and a text if you like.',
    required: ['embeds'],
    properties: { embeds: { type: 'array', minItems: 1 } },
  },
];

/** Kinds of which the API refuses a block that lacks a required field. */
const CHECKED: readonly BlockKind[] = ['text', 'link'];

const URL_OF_OTHERS = schemaOf({ type: 'url', label: 'The target of the block' });

const BLOCK_UPDATES: readonly Variant[] = [
  ...BLOCK_KINDS.map((kind) => ({
    name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}BlockUpdate`,
    description: BLOCKS[kind].description,
    required: ['type', ...requiredOf(BLOCKS[kind].fields)],
    properties: {
      type: { type: 'string', enum: [kind], description: 'The kind of block.' },
      url: URL_OF_OTHERS,
      ...propertiesOf(BLOCKS[kind].fields),
    },
  })),
  {
    name: 'OtherBlockUpdate',
    description: 'Any other block, stored as it comes.',
    required: ['type'],
    properties: {
      type: { not: { enum: [...CHECKED] }, examples: ['gallery'] },
      url: URL_OF_OTHERS,
    },
  },
];

/** Rules between properties, which the contract checks in refinements that JSON Schema does not see. */
const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  BlockUpdate: BLOCK_UPDATES,
  ChatMessage: CHAT_MESSAGES,
};

/** The schemas that are one of several variants, the variants, and what the variants share. */
export function variantsOf(schemas: Schemas, names = Object.keys(VARIANTS)): Schemas {
  return Object.fromEntries(
    names.flatMap((name): [string, Schema][] => {
      const schema = schemas[name];
      if (schema === undefined) return [];
      const { examples, ...base } = schema;
      const { description } = base;
      const variants = VARIANTS[name] ?? [];
      return [
        [
          name,
          {
            ...(description !== undefined && { description }),
            anyOf: variants.map((variant) => referenceTo(variant.name)),
            ...(examples && { examples }),
          },
        ],
        [`Base${name}`, base],
        ...variants.map((variant): [string, Schema] => [
          variant.name,
          narrowed(name, base, variant),
        ]),
      ];
    }),
  );
}

function narrowed(
  name: string,
  { properties = {} }: Schema,
  { description, required, properties: own }: Variant,
): Schema {
  const rules = Object.entries(own).map(([key, rule]) => [
    key,
    rule.enum ? rule : { ...withoutNull(properties[key]), ...rule },
  ]);
  return {
    description,
    allOf: [
      referenceTo(`Base${name}`),
      {
        type: 'object',
        required,
        properties: Object.fromEntries(rules) as Schemas,
        additionalProperties: {},
      },
    ],
  };
}

/** A property of which a variant does not allow null. */
function withoutNull({ anyOf: [value] = [], ...schema }: Schema = {}): Schema {
  return { ...value, ...schema };
}

function referenceTo(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
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
  const described = {
    description: help ? `${label}. ${help}` : `${label}.`,
    ...(usual !== undefined && { default: usual }),
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
        maxLength: maxLengthOf(field),
        ...((type === 'url' || type === 'picture') && {
          pattern: allowsContact ? `${WEB_URL}|${CONTACT_URL}` : WEB_URL,
        }),
      };
  }
}
