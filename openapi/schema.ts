import { isObject, ordered, type Json, type JsonObject } from './json.ts';
import { STORABLE } from './patterns.ts';

/** The order of the keywords of a schema in the document. */
const KEYWORDS = [
  '$ref',
  'type',
  'const',
  'enum',
  'description',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'items',
  'required',
  'properties',
  'additionalProperties',
];

const DATA_KEYWORDS = new Set(['examples', 'default', 'const', 'enum', 'required']);

/** A schema as zod writes it, with everything said that the document wants explicit. */
export function completeSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => completeSchema(item));
  if (!isObject(value)) return value;
  // A record's keys are strings, which nobody needs to be told; what refuses a field is said
  // elsewhere, and values that are known among others are for the client's completion.
  const { propertyNames: _keys, refusal: _refusal, known: _known, ...rest } = value;
  const schema: JsonObject = {};
  for (const [keyword, child] of Object.entries(rest)) {
    if (keyword === 'properties' && isObject(child))
      schema[keyword] = Object.fromEntries(
        Object.entries(child).map(([name, property]) => [name, completeSchema(property)]),
      );
    else if (keyword === '$ref' && typeof child === 'string')
      schema[keyword] = child.replace('#/$defs/', '#/components/schemas/');
    else if (keyword === 'pattern' && typeof child === 'string')
      // The source of a RegExp escapes slashes, which JSON Schema does not need and some tools escape again.
      schema[keyword] = child.replaceAll(/\\([^])/g, (pair, next) => (next === '/' ? '/' : pair));
    else schema[keyword] = DATA_KEYWORDS.has(keyword) ? child : completeSchema(child);
  }
  return ordered(explicit(withNull(withAdditionalProperties(schema))), KEYWORDS);
}

function withAdditionalProperties(schema: JsonObject): JsonObject {
  if (schema.type !== 'object') return schema;
  const { additionalProperties = {}, ...rest } = schema;
  const open = isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  return { ...rest, additionalProperties: open ? true : additionalProperties };
}

/** `anyOf: [a, null]` as one schema with a list of types, unless `a` is a reference. */
function withNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, other] = anyOf;
  if (!isObject(value) || typeof value.type !== 'string') return schema;
  if (!isObject(other) || other.type !== 'null') return schema;
  return {
    ...value,
    ...rest,
    type: [value.type, 'null'],
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
  };
}

/** The smallest length of a text and a list, that no text holds NUL, and the bits of an integer. */
function explicit(schema: JsonObject): JsonObject {
  const types = new Set([schema.type].flat());
  if (types.has('array')) return { minItems: 0, ...schema };
  if (types.has('integer')) return { format: integerFormat(schema), ...schema };
  if (!types.has('string') || schema.enum !== undefined) return schema;
  const { pattern = schema.format === undefined ? STORABLE : '.' } = schema;
  const minLength = new RegExp(String(pattern)).test('') ? 0 : 1;
  return {
    minLength,
    ...(schema.format === undefined && { pattern }),
    ...schema,
    // A hyphen that stands last is one more thing that engines disagree about.
    ...(typeof schema.pattern === 'string' && {
      pattern: schema.pattern.replaceAll('+-]', String.raw`+\-]`),
    }),
  };
}

function integerFormat({ maximum }: JsonObject): string {
  return typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64';
}
