import type { Schema, Schemas } from '../../contract/openapi/json-schema.ts';
import { variantsOf } from '../../contract/openapi/variants.ts';

/**
 * Returns a schema for each kind of block. The type of an unknown block must be an `OtherKind`, so that
 * a misspelled type does not compile.
 *
 * A field can be required in an update (`LinkBlockUpdate`) but missing from a stored block
 * (`LinkBlock`). Both types declare it as required with type `T | undefined`, so that a block from a
 * response can be sent back.
 */
export function createBlockSchemas(schemas: Schemas): Schemas {
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
      const requiredInStored = requiredIn(variants[stored]);
      const properties = Object.entries(fields.properties ?? {}).map(([key, field]) =>
        required.includes(key) && !requiredInStored.includes(key)
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
