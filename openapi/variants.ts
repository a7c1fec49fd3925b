import { NOT_BLANK } from '../contract/text.ts';
import { isObject, ordered, type JsonObject } from './json.ts';
import { WEB_URL } from './patterns.ts';
import { KEYWORDS } from './schema.ts';

interface Variant {
  name: string;
  description: string;
  required: string[];
  /** What this variant says about properties beyond what all variants say. */
  narrowed: { [property: string]: JsonObject };
}

function only(type: string): JsonObject {
  return { type: 'string', enum: [type], description: 'The kind of block.' };
}

/** Rules between properties, which the contract checks in refinements that JSON Schema does not see. */
const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  BlockUpdate: [
    {
      name: 'TextBlockUpdate',
      description: 'A block of text.',
      required: ['type', 'content'],
      narrowed: { type: only('text'), url: { pattern: WEB_URL } },
    },
    {
      name: 'LinkBlockUpdate',
      description: 'A link; its target may also be a mailto: or tel: URL.',
      required: ['type', 'url'],
      narrowed: { type: only('link') },
    },
    {
      name: 'OtherBlockUpdate',
      description: 'A block of any other kind.',
      required: ['type'],
      narrowed: {
        type: { not: { enum: ['text', 'link'] }, examples: ['image'] },
        url: { pattern: WEB_URL },
      },
    },
  ],
  ChatMessage: [
    {
      name: 'ChatMessageWithContent',
      description: 'A message with a text, and embeds if you like.',
      required: ['content'],
      narrowed: {
        content: { type: 'string', minLength: 1, pattern: NOT_BLANK },
      },
    },
    {
      name: 'ChatMessageWithEmbeds',
      description: 'A message with at least one embed, and a text if you like.',
      required: ['embeds'],
      narrowed: { embeds: { type: 'array', minItems: 1 } },
    },
  ],
};

/** The schemas that are one of several variants, and the variants. */
export function variantsOf(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(VARIANTS).flatMap(([name, variants]) => {
      const schema = schemas[name];
      if (!isObject(schema)) return [];
      const { description, examples, ...base } = schema;
      const references = variants.map((variant) => ({
        $ref: `#/components/schemas/${variant.name}`,
      }));
      return [
        [name, { description, anyOf: references, ...(examples && { examples }) }],
        ...variants.map((variant) => [variant.name, narrow(base, variant)]),
      ] as [string, JsonObject][];
    }),
  );
}

function narrow(base: JsonObject, { description, required, narrowed }: Variant): JsonObject {
  const properties = isObject(base.properties) ? { ...base.properties } : {};
  for (const [name, rule] of Object.entries(narrowed))
    properties[name] = rule.enum ? rule : { ...(properties[name] as JsonObject), ...rule };
  return { ...ordered({ ...base, description, required }, KEYWORDS), properties };
}
