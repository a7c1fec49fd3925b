/** A JSON Schema of a published document. */
export interface Schema {
  $ref?: string;
  properties?: Schemas;
  required?: string[];
  [keyword: string]: unknown;
}

/** Schemas by name. */
export type Schemas = Record<string, Schema>;

const REFERENCE = '#/components/schemas/';

/** Keywords whose value is data or names properties, so that nothing in it is a keyword. */
const NAMES = new Set(['properties', '$defs']);

/**
 * Makes a schema that stands alone: what it refers to is in its `$defs`. Patterns are left out: they make
 * half of its size, some clients know less of regular expressions, and the endpoint checks them anyway.
 */
export function standalone(schema: Schema, schemas: Schemas): Schema {
  const used = new Map<string, unknown>();
  const copy = (value: unknown, isNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => isNames || key !== 'pattern');
    return Object.fromEntries(
      entries.map(([key, item]) =>
        key === '$ref' && !isNames
          ? [key, refer(String(item))]
          : [key, key === 'examples' && !isNames ? item : copy(item, !isNames && NAMES.has(key))],
      ),
    );
  };
  const refer = (reference: string): string => {
    const name = reference.slice(REFERENCE.length);
    if (!used.has(name)) {
      // Before its content, because it may refer to itself.
      used.set(name, undefined);
      used.set(name, copy(schemas[name]));
    }
    return `#/$defs/${name}`;
  };
  const root = copy(resolved(schema, schemas)) as Schema;
  return used.size === 0 ? root : { ...root, $defs: Object.fromEntries(used) };
}

/** The schema that a reference names. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(REFERENCE.length)] ?? {});
}
