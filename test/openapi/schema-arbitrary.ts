import fc from 'fast-check';
import type { Json, JsonObject } from '#contract/openapi/json.ts';

/** Generates values that a JSON schema of an OpenAPI document accepts. */
export function schemaToArbitrary(schema: JsonObject, document: JsonObject): fc.Arbitrary<Json> {
  if (typeof schema.$ref === 'string')
    return schemaToArbitrary(resolve(schema.$ref, document), document);
  if (Array.isArray(schema.anyOf))
    return fc.oneof(...schema.anyOf.map((item) => schemaToArbitrary(item as JsonObject, document)));
  if (Array.isArray(schema.allOf))
    return schemaToArbitrary(mergeSchemas(schema.allOf as JsonObject[], document), document);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat() as string[];
  return fc.oneof(...types.map((type) => arbitraryOfType(type, schema, document)));
}

function mergeSchemas(schemas: readonly JsonObject[], document: JsonObject): JsonObject {
  const resolved = schemas.map((schema) =>
    typeof schema.$ref === 'string' ? resolve(schema.$ref, document) : schema,
  );
  return {
    ...Object.assign({}, ...resolved),
    required: resolved.flatMap(({ required }) => (required ?? []) as string[]),
    properties: Object.assign({}, ...resolved.map(({ properties }) => properties)) as JsonObject,
  } as JsonObject;
}

export function resolve(reference: string, document: JsonObject): JsonObject {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((value, key) => (value as JsonObject)[key]!, document) as JsonObject;
}

function arbitraryOfType(
  type: string,
  schema: JsonObject,
  document: JsonObject,
): fc.Arbitrary<Json> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return arbitraryText(schema);
  if (type === 'integer')
    return fc.integer({ min: schema.minimum as number, max: schema.maximum as number });
  if (type === 'array') {
    const { minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number };
    const items = schemaToArbitrary(schema.items as JsonObject, document);
    return fc.array(items, { minLength: minItems, maxLength: Math.min(maxItems ?? 5, 5) });
  }
  if (type !== 'object') throw new Error(`No arbitrary for the type ${type}.`);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const declaredProperties = fc.record(
    Object.fromEntries(
      properties.map(([name, value]) => [name, schemaToArbitrary(value, document)]),
    ),
    { requiredKeys: (schema.required ?? []) as string[] },
  );
  if (schema.additionalProperties !== true) return declaredProperties;
  return fc.tuple(extraKeys, declaredProperties).map(([extraProperties, object]) => {
    for (const [name] of properties) delete extraProperties[name];
    return { ...extraProperties, ...object };
  });
}

const word = fc.stringMatching(/^[A-Za-z0-9 -][A-Za-z0-9 _-]{0,11}$/);
const extraKeys = fc.dictionary(
  word,
  // The limits of free-form JSON are only in the descriptions, not in the schemas.
  fc
    .json({ maxDepth: 2, stringUnit: 'grapheme' })
    .filter((json) => !/__proto__|\\u0000/.test(json))
    .map((json) => JSON.parse(json, withoutInexactIntegers) as Json),
  { maxKeys: 2, noNullPrototype: true },
);

function withoutInexactIntegers(_key: string, value: unknown): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value;
}

function arbitraryText(schema: JsonObject): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  const {
    pattern,
    minLength = 0,
    maxLength = 100,
    examples = [],
  } = schema as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
    examples?: string[];
  };
  const arbitrary =
    pattern === undefined
      ? fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
      : fc.stringMatching(new RegExp(pattern, 'u'), { size: '-1' });
  const random = arbitrary.filter(
    (value) =>
      value.isWellFormed() && [...value].length <= maxLength && [...value].length >= minLength,
  );
  // Most rules of texts are only in words, which examples follow.
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), random) : random;
}
