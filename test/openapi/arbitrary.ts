import fc from 'fast-check';
import type { Json, JsonObject } from '../../openapi/json.ts';

/** Generates data that a schema of the document accepts. */
export function arbitraryOf(schema: JsonObject, document: JsonObject): fc.Arbitrary<Json> {
  if (typeof schema.$ref === 'string') return arbitraryOf(resolve(schema.$ref, document), document);
  if (Array.isArray(schema.anyOf))
    return fc.oneof(...schema.anyOf.map((item) => arbitraryOf(item as JsonObject, document)));
  if (Array.isArray(schema.allOf))
    return arbitraryOf(merged(schema.allOf as JsonObject[], document), document);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema, document)));
}

/** Merges object schemas. Later ones refine properties. */
function merged(schemas: readonly JsonObject[], document: JsonObject): JsonObject {
  const parts = schemas.map((schema) =>
    typeof schema.$ref === 'string' ? resolve(schema.$ref, document) : schema,
  );
  return {
    ...Object.assign({}, ...parts),
    required: parts.flatMap(({ required }) => (required ?? []) as string[]),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonObject,
  } as JsonObject;
}

/** Resolves a `$ref`. */
export function resolve(reference: string, document: JsonObject): JsonObject {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((value, key) => (value as JsonObject)[key]!, document) as JsonObject;
}

function ofType(type: string, schema: JsonObject, document: JsonObject): fc.Arbitrary<Json> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return text(schema);
  if (type === 'integer')
    return fc.integer({ min: schema.minimum as number, max: schema.maximum as number });
  if (type === 'array') {
    const { minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number };
    const items = arbitraryOf(schema.items as JsonObject, document);
    return fc.array(items, { minLength: minItems, maxLength: Math.min(maxItems ?? 5, 5) });
  }
  if (type !== 'object') throw new Error(`No arbitrary for the type ${type}.`);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const known = fc.record(
    Object.fromEntries(properties.map(([name, value]) => [name, arbitraryOf(value, document)])),
    { requiredKeys: (schema.required ?? []) as string[] },
  );
  if (schema.additionalProperties !== true) return known;
  return fc.tuple(furtherKeys, known).map(([further, own]) => {
    for (const [name] of properties) delete further[name];
    return { ...further, ...own };
  });
}

const word = fc.stringMatching(/^[A-Za-z0-9 -][A-Za-z0-9 _-]{0,11}$/);
const furtherKeys = fc.dictionary(
  word,
  // For free-form JSON, the document states limits only in prose.
  fc
    .json({ maxDepth: 2, stringUnit: 'grapheme' })
    .filter((json) => !/__proto__|\\u0000/.test(json))
    .map((json) => JSON.parse(json) as Json),
  { maxKeys: 2, noNullPrototype: true },
);

function text(schema: JsonObject): fc.Arbitrary<string> {
  const { pattern, maxLength } = schema as { pattern: string; maxLength: number };
  const arbitrary = matching(pattern);
  const expression = new RegExp(pattern, 'u');
  return arbitrary.filter(
    (value) => value.isWellFormed() && [...value].length <= maxLength && expression.test(value),
  );
}

function matching(pattern: string): fc.Arbitrary<string> {
  return pattern === '^[^\\x00]*$'
    ? fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
    : fc.stringMatching(new RegExp(pattern, 'u'), { size: '-1' });
}
