export interface Schema {
  $ref?: string;
  properties?: Schemas;
  required?: string[];
  [keyword: string]: unknown;
}

export type Schemas = Record<string, Schema>;

const REFERENCE = '#/components/schemas/';

/** The keys inside these are names of properties or schemas, not keywords. */
const KEYWORDS_WITH_NAMES = new Set(['properties', '$defs']);

/**
 * Returns a self-contained schema, with referenced schemas in `$defs`. Leaves out patterns: they
 * make up half of the size, some clients do not support all regular expressions, and the endpoint
 * checks them anyway.
 */
export function toStandaloneSchema(schema: Schema, schemas: Schemas): Schema {
  const used = new Map<string, unknown>();
  const copy = (value: unknown, hasNameKeys = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => hasNameKeys || key !== 'pattern');
    return Object.fromEntries(
      entries.map(([key, item]) =>
        key === '$ref' && !hasNameKeys
          ? [key, refer(String(item))]
          : [
              key,
              key === 'examples' && !hasNameKeys
                ? item
                : copy(item, !hasNameKeys && KEYWORDS_WITH_NAMES.has(key)),
            ],
      ),
    );
  };
  const refer = (reference: string): string => {
    const name = reference.slice(REFERENCE.length);
    if (!used.has(name)) {
      // Set before the schema is copied, because it may refer to itself.
      used.set(name, undefined);
      used.set(name, copy(schemas[name]));
    }
    return `#/$defs/${name}`;
  };
  const root = copy(resolveReference(schema, schemas)) as Schema;
  return used.size === 0 ? root : { ...root, $defs: Object.fromEntries(used) };
}

export function resolveReference(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(REFERENCE.length)] ?? {});
}
