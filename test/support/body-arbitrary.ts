import fc from 'fast-check';
import { z } from 'zod';

/** The JSON Schema keywords that `bodyArbitrary` uses. */
interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  $ref?: string;
}

/** Generates values for a Zod schema. They may violate its limits, patterns and refinements. */
export function bodyArbitrary(schema: z.ZodType): fc.Arbitrary<unknown> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };

  function valueArbitrary(node: JsonSchema): fc.Arbitrary<unknown> {
    if (node.$ref !== undefined)
      return valueArbitrary(root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {});
    if (node.anyOf) return fc.oneof(...node.anyOf.map(valueArbitrary));
    if (node.enum) return fc.constantFrom(...node.enum);
    if (node.const !== undefined) return fc.constant(node.const);
    if (node.type === 'object') return objectArbitrary(node);
    if (node.type === 'array') return fc.array(valueArbitrary(node.items ?? {}), { maxLength: 4 });
    if (node.type === 'boolean') return fc.boolean();
    if (node.type === 'null') return fc.constant(null);
    if (node.examples) return fc.constantFrom(...node.examples);
    if (node.type === 'string') return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    return fc.jsonValue({ maxDepth: 2 });
  }

  function objectArbitrary(node: JsonSchema): fc.Arbitrary<unknown> {
    const properties = Object.fromEntries(
      Object.entries(node.properties ?? {}).map(([name, child]) => [name, valueArbitrary(child)]),
    );
    const record = fc.record(properties, { requiredKeys: node.required ?? [] });
    if (typeof node.additionalProperties !== 'object') return record;
    const extraProperties = fc.dictionary(
      fc.string({ maxLength: 5 }),
      valueArbitrary(node.additionalProperties),
      {
        maxKeys: 3,
      },
    );
    return fc
      .tuple(extraProperties, record)
      .map(([extra, declared]) => ({ ...extra, ...declared }));
  }

  return valueArbitrary(root);
}
