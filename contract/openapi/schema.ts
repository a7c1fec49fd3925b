import { isObject, sortKeys, type Json, type JsonObject } from './json.ts';
import { STORABLE_TEXT } from './patterns.ts';

const KEYWORD_ORDER = [
  '$ref',
  'type',
  'const',
  'enum',
  'description',
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

/** Completes a schema from zod: adds explicit limits, simplifies null and sorts the keywords. */
export function completeSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => completeSchema(item));
  if (!isObject(value)) return value;
  // Left out: `propertyNames`, because record keys are always strings.
  const { propertyNames: _keys, ...rest } = value;
  const schema: JsonObject = {};
  for (const [keyword, child] of Object.entries(rest)) {
    if (keyword === 'properties' && isObject(child))
      schema[keyword] = Object.fromEntries(
        Object.entries(child).map(([name, property]) => [name, completeSchema(property)]),
      );
    else if (keyword === '$ref' && typeof child === 'string')
      schema[keyword] = child.replace('#/$defs/', '#/components/schemas/');
    else if (keyword === 'pattern' && typeof child === 'string')
      // RegExp.source escapes slashes; JSON Schema does not need that, and some tools would escape them again.
      schema[keyword] = child.replaceAll(/\\([^])/g, (pair, next) => (next === '/' ? '/' : pair));
    else schema[keyword] = DATA_KEYWORDS.has(keyword) ? child : completeSchema(child);
  }
  return sortKeys(
    withExplicitLimits(mergeNull(withAdditionalProperties(describeDefault(schema)))),
    KEYWORD_ORDER,
  );
}

/** Moves a default to the description, because openapi-typescript makes fields with one required. */
function describeDefault({ default: value, ...schema }: JsonObject): JsonObject {
  if (value === undefined) return schema;
  const { description = '' } = schema;
  return {
    ...schema,
    description: `${String(description)} Default: \`${JSON.stringify(value)}\`.`,
  };
}

function withAdditionalProperties(schema: JsonObject): JsonObject {
  if (schema.type !== 'object') return schema;
  const { additionalProperties = {}, ...rest } = schema;
  if (additionalProperties === null) return rest;
  const isOpen = isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  return { ...rest, additionalProperties: isOpen ? true : additionalProperties };
}

/** Only null. OpenAPI 3.0 has null only beside another type; orval cannot write it beside `object`. */
const NULL: JsonObject = { type: ['string', 'null'], enum: [null] };

/** Turns `anyOf: [a, null]` into one schema with a list of types, unless `a` is a reference. */
function mergeNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value = {}, nullSchema] = anyOf;
  if (!isObject(nullSchema) || nullSchema.type !== 'null') return schema;
  if (!isObject(value) || typeof value.type !== 'string') {
    // References are to objects. Some tools, such as kin-openapi, look for null only in `type`.
    const isReference = isObject(value) && value.$ref !== undefined;
    return { ...schema, ...(isReference && { type: ['object', 'null'] }), anyOf: [value, NULL] };
  }
  return {
    ...value,
    ...rest,
    type: [value.type, 'null'],
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
  };
}

function withExplicitLimits(schema: JsonObject): JsonObject {
  const types = new Set([schema.type].flat());
  if (types.has('array')) return { minItems: 0, ...schema };
  if (types.has('integer')) return { format: integerFormat(schema), ...schema };
  if (!types.has('string') || schema.enum !== undefined) return schema;
  const { pattern = schema.format === undefined ? STORABLE_TEXT : '.' } = schema;
  const minLength = new RegExp(String(pattern)).test('') ? 0 : 1;
  return {
    minLength,
    ...(schema.format === undefined && { pattern }),
    ...schema,
    // Engines disagree about an unescaped hyphen at the end of a class.
    ...(typeof schema.pattern === 'string' && {
      pattern: schema.pattern.replaceAll('+-]', String.raw`+\-]`),
    }),
  };
}

function integerFormat({ maximum }: JsonObject): string {
  return typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64';
}
