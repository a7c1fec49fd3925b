import type { Schemas } from '../../openapi/json-schema.ts';
import { variantsOf } from '../../openapi/variants.ts';

/**
 * Returns schemas for a type per kind of block, without additional properties, so that misspelled fields
 * and kinds do not compile. Only blocks whose kind is an `OtherKind` have them.
 */
export function blockTypes(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(variantsOf(schemas, ['Block', 'BlockUpdate'])).map(([name, schema]) => {
      if (name.startsWith('Other')) {
        const [base = {}, extension = {}] = schema.allOf ?? [];
        const { type = {}, ...properties } = extension.properties ?? {};
        const otherKind = { ...type, $ref: 'OtherKind' };
        return [
          name,
          {
            ...schema,
            allOf: [base, { ...extension, properties: { type: otherKind, ...properties } }],
          },
        ];
      }
      // A block that was read can be sent back.
      if (name === 'BlockUpdate')
        return [name, { ...schema, anyOf: [...(schema.anyOf ?? []), { $ref: 'Block' }] }];
      return [name, JSON.parse(JSON.stringify(schema, withoutOpenness)) as typeof schema];
    }),
  );
}

function withoutOpenness(keyword: string, value: unknown): unknown {
  return keyword === 'additionalProperties' || keyword === 'suggestedValues' ? undefined : value;
}
