import { NOT_BLANK_PATTERN, ONE_LINE_PATTERN } from '#contract/text.ts';
import { isObject, sortKeys, type Json, type JsonObject } from './json.ts';
import { describeLimits, isContractBound } from './limits.ts';

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

/** Longer patterns are left out: nobody reads them, and the description says what they mean. */
const MAX_PATTERN_LENGTH = 60;

const PATTERN_TEXTS: Readonly<Record<string, string>> = {
  [ONE_LINE_PATTERN]: 'One line.',
  [NOT_BLANK_PATTERN]: 'Not blank.',
};

/** Completes a schema from zod, and leaves out what its readers do not need. */
export function completeSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => completeSchema(item));
  if (!isObject(value)) return value;
  // Left out: `propertyNames`, because record keys are always strings.
  const { propertyNames: _keys, ...keywords } = value;
  const schema: JsonObject = {};
  for (const [keyword, child] of Object.entries(keywords)) {
    if (keyword === 'properties' && isObject(child))
      schema[keyword] = Object.fromEntries(
        Object.entries(child).map(([name, property]) => [name, completeSchema(property)]),
      );
    else if (keyword === '$ref' && typeof child === 'string')
      schema[keyword] = child.replace('#/$defs/', '#/components/schemas/');
    else schema[keyword] = DATA_KEYWORDS.has(keyword) ? child : completeSchema(child);
  }
  const { default: standard, ...rest } = withReadableLimits(
    mergeNull(withAdditionalProperties(schema)),
  );
  const limits = describeLimits(rest, String(rest['description']));
  // openapi-typescript makes fields with a default required.
  const defaultText = standard === undefined ? '' : `Default: \`${JSON.stringify(standard)}\`.`;
  return sortKeys(describe(describe(rest, limits), defaultText), KEYWORD_ORDER);
}

function describe(schema: JsonObject, sentence: string): JsonObject {
  const description = [schema['description'], sentence].filter(Boolean).join(' ');
  return { ...schema, ...(description && { description }) };
}

function withAdditionalProperties(schema: JsonObject): JsonObject {
  const { additionalProperties = {}, ...rest } = schema;
  if (additionalProperties === null) return rest;
  if (schema.type !== 'object') return schema;
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

/** Leaves out limits that a format, the values or the range of exact integers imply. */
function withReadableLimits(schema: JsonObject): JsonObject {
  const types = new Set([schema.type].flat());
  if (types.has('integer')) return withReadableRange(schema);
  const { minItems, ...others } = schema;
  if (!types.has('string')) return minItems === 0 ? others : schema;
  const { pattern, minLength, maxLength, ...rest } = schema;
  if ([rest.format, rest.const, rest.enum].some((keyword) => keyword !== undefined)) {
    const { examples: _examples, ...typed } = rest;
    return typed;
  }
  const isShown =
    typeof pattern === 'string' &&
    pattern.length <= MAX_PATTERN_LENGTH &&
    // Every text is without NUL, which PostgreSQL cannot store.
    !/\\(?:x00|0)/.test(pattern);
  const isBlankRefused =
    minLength === undefined
      ? typeof pattern === 'string' && !matches(pattern, '')
      : minLength !== 0;
  const text = PATTERN_TEXTS[String(pattern)];
  return {
    ...(text === undefined ? rest : describe(rest, text)),
    ...(isShown && { pattern: unescapeSlashes(pattern) }),
    ...(!isShown && isBlankRefused && { minLength: minLength ?? 1 }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern).test(text);
}

/** RegExp.source escapes slashes; JSON Schema does not need that, and some tools would escape them again. */
function unescapeSlashes(pattern: string): string {
  return pattern.replaceAll(/\\([^])/g, (pair, next) => (next === '/' ? '/' : pair));
}

function withReadableRange({ minimum, maximum, ...schema }: JsonObject): JsonObject {
  return {
    format: typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64',
    ...schema,
    ...(isContractBound(minimum) && { minimum }),
    ...(isContractBound(maximum) && { maximum }),
  };
}
