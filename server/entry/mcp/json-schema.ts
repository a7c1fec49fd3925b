import type { Schema, Schemas } from '#contract/openapi/json-schema.ts';
import { type OpenApiDocument, resolve } from '#server/platform/openapi-documents.ts';

const REFERENCE_PREFIX = '#/components/schemas/';

/** The keys inside these are names of properties or schemas, not keywords. */
const KEYWORDS_WITH_NAMES = new Set(['properties', '$defs']);

/** Enough to name the fields of objects in a list. */
const OUTLINE_DEPTH = 3;
/** Longer lists, such as the types of blocks, take too many bytes. */
const MAX_OUTLINE_VALUES = 12;

/**
 * Returns a self-contained schema, with referenced schemas in `$defs`. Leaves out patterns: they
 * make up half of the size, some clients do not support all regular expressions, and the endpoint
 * checks them anyway.
 */
export function toStandaloneSchema(schema: Schema, document: OpenApiDocument): Schema {
  const definitions = new Map<string, unknown>();
  const copySchema = (value: unknown, hasNameKeys = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => copySchema(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => hasNameKeys || key !== 'pattern');
    return Object.fromEntries(
      entries.map(([key, item]) =>
        key === '$ref' && !hasNameKeys
          ? [key, addDefinition(String(item))]
          : [
              key,
              key === 'examples' && !hasNameKeys
                ? item
                : copySchema(item, !hasNameKeys && KEYWORDS_WITH_NAMES.has(key)),
            ],
      ),
    );
  };
  const addDefinition = (reference: string): string => {
    const name = reference.slice(REFERENCE_PREFIX.length);
    if (!definitions.has(name)) {
      // Set before the schema is copied, because it may refer to itself.
      definitions.set(name, undefined);
      definitions.set(name, copySchema(document.components['schemas']![name]));
    }
    return `#/$defs/${name}`;
  };
  const root = copySchema(resolve(document, schema)) as Schema;
  return definitions.size === 0
    ? root
    : { ...root, $defs: Object.fromEntries(definitions) as Schemas };
}

/**
 * Shortens a schema to property names, types and values, with descriptions only at the top level.
 * Accepts everything that the full schema accepts.
 */
export function toOutline(
  schema: Schema,
  document: OpenApiDocument,
  depth = OUTLINE_DEPTH,
): Schema {
  const resolved = resolve<Schema>(document, schema);
  const { type, enum: values, properties, required, items } = resolved;
  // What replaces a field matters to programs, and takes up context.
  const [description] = (schema.description ?? resolved.description)?.split(' Deprecated: ') ?? [];
  const childOutline = (child: Schema) => toOutline(child, document, depth - 1);
  return {
    ...(type !== undefined && { type }),
    ...(values && values.length <= MAX_OUTLINE_VALUES && { enum: values }),
    ...(description !== undefined && depth >= OUTLINE_DEPTH - 1 && { description }),
    ...(depth > 0 && {
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, childOutline(property)]),
        ),
      }),
      ...(required && { required }),
      ...(items !== undefined && { items: childOutline(items) }),
    }),
  };
}
