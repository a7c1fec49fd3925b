import { BLOCK_UPDATES, STORED_BLOCKS, type Variant } from './block-variants.ts';
import type { Schema, Schemas } from './json-schema.ts';

const CHAT_MESSAGES: readonly Variant[] = [
  {
    name: 'ChatMessageWithContent',
    description: 'A message with text and, optionally, embeds.',
    required: ['content'],
    properties: { content: { type: 'string', minLength: 1 } },
  },
  {
    name: 'ChatMessageWithEmbeds',
    description: 'A message with at least one embed and, optionally, text.',
    required: ['embeds'],
    properties: { embeds: { type: 'array', minItems: 1 } },
  },
];

/** Variants of schemas whose fields depend on each other or on the kind. */
const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  Block: STORED_BLOCKS,
  BlockUpdate: BLOCK_UPDATES,
  ChatMessage: CHAT_MESSAGES,
};

/**
 * For each name, returns a schema that is `anyOf` the variants, the base schema (`Base…`), and the
 * variants.
 */
export function variantsOf(schemas: Schemas, names = Object.keys(VARIANTS)): Schemas {
  return Object.fromEntries(
    names.flatMap((name): [string, Schema][] => {
      const schema = schemas[name];
      if (schema === undefined) return [];
      const { examples, description, ...openBase } = schema;
      const variants = VARIANTS[name] ?? [];
      const discriminator = discriminatorOf(name, variants);
      const base = {
        ...openBase,
        ...(hasTypes(variants) && { additionalProperties: null }),
        ...(discriminator && { discriminator }),
      };
      return [
        [
          name,
          {
            ...(description !== undefined && { description }),
            anyOf: variants.map((variant) => referenceTo(variant.name)),
            ...(discriminator && { discriminator }),
            ...(examples && { examples }),
          },
        ],
        [`Base${name}`, base],
        ...variants.map((variant): [string, Schema] => [
          variant.name,
          narrowSchema(name, base, variant),
        ]),
      ];
    }),
  );
}

/**
 * Maps each `type` to its variant. The discriminator is on the union and on the base schema,
 * because some tools read only one of them. In requests, the variant without an enum gets the type
 * `other`, because generated unions narrow only if each variant has a value. Responses have no
 * discriminator: clients that validate them would refuse a page with a block of an unlisted type.
 */
function discriminatorOf(name: string, variants: readonly Variant[]): Schema['discriminator'] {
  if (name === 'Block' || !hasTypes(variants)) return undefined;
  const entries = variants.map(({ name: variant, properties }) => [
    String(properties['type']?.enum?.[0] ?? 'other'),
    `#/components/schemas/${variant}`,
  ]);
  return { propertyName: 'type', mapping: Object.fromEntries(entries) as Record<string, string> };
}

function hasTypes(variants: readonly Variant[]): boolean {
  return variants.every(({ properties }) => properties['type']);
}

function narrowSchema(
  name: string,
  { properties = {} }: Schema,
  { description, required, properties: variantProperties }: Variant,
): Schema {
  const rules = Object.entries(variantProperties).map(([key, rule]) => [
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
        additionalProperties: variantProperties['type']?.enum ? null : {},
      },
    ],
  };
}

function withoutNull({ anyOf: [value] = [], ...schema }: Schema = {}): Schema {
  return { ...value, ...schema };
}

function referenceTo(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
