import type { Schema, Schemas } from '../../openapi/json-schema.ts';
import { variantsOf } from '../../openapi/variants.ts';

/**
 * Returns schemas for a type per kind of block. Unknown kinds are an `OtherKind`, so that misspelled ones do
 * not compile.
 *
 * A stored block can lack a field that a new one needs. Its type has that field, but it may be undefined in
 * both types: thus a block that was read can be sent back.
 */
export function blockTypes(schemas: Schemas): Schemas {
  const variants = variantsOf(schemas, ['Block', 'BlockUpdate']);
  return Object.fromEntries(
    Object.entries(variants).map(([name, schema]) => {
      const [base, fields] = schema.allOf ?? [];
      if (!base || !fields) return [name, schema];
      if (name.startsWith('Other')) {
        const { type, ...properties } = fields.properties ?? {};
        const otherKind = { ...type, $ref: 'OtherKind' };
        return [
          name,
          {
            ...schema,
            allOf: [base, { ...fields, properties: { type: otherKind, ...properties } }],
          },
        ];
      }
      const stored = name.replace(/Update$/, '');
      const required = requiredIn(variants[`${stored}Update`]);
      const requiredInBoth = requiredIn(variants[stored]);
      const properties = Object.entries(fields.properties ?? {}).map(([key, field]) =>
        required.includes(key) && !requiredInBoth.includes(key)
          ? [key, { ...field, type: [field.type ?? [], 'undefined'].flat() }]
          : [key, field],
      );
      const extension = {
        ...fields,
        required,
        properties: Object.fromEntries(properties) as Schemas,
      };
      return [name, { ...schema, allOf: [base, extension] }];
    }),
  );
}

function requiredIn(variant: Schema = {}): string[] {
  return variant.allOf?.[1]?.required ?? [];
}
