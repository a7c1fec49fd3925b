import fc from 'fast-check';
import { z } from 'zod';

/** The subset of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  $ref?: string;
}

/** Generates bodies for a Zod schema. They may violate refinements, which JSON Schema does not contain. */
export function bodyArbitrary(schema: z.ZodType): fc.Arbitrary<unknown> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>;
  };

  function values(node: Schema): fc.Arbitrary<unknown> {
    if (node.$ref !== undefined)
      return values(root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {});
    if (node.anyOf) return fc.oneof(...node.anyOf.map(values));
    if (node.enum) return fc.constantFrom(...node.enum);
    if (node.const !== undefined) return fc.constant(node.const);
    if (node.type === 'object') return object(node);
    if (node.type === 'array') return fc.array(values(node.items ?? {}), { maxLength: 4 });
    if (node.type === 'boolean') return fc.boolean();
    if (node.type === 'null') return fc.constant(null);
    if (node.examples) return fc.constantFrom(...node.examples);
    if (node.type === 'string') return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    return fc.jsonValue({ maxDepth: 2 });
  }

  function object(node: Schema): fc.Arbitrary<unknown> {
    const properties = Object.fromEntries(
      Object.entries(node.properties ?? {}).map(([name, child]) => [name, values(child)]),
    );
    const record = fc.record(properties, { requiredKeys: node.required ?? [] });
    if (typeof node.additionalProperties !== 'object') return record;
    const extraProperties = fc.dictionary(
      fc.string({ maxLength: 5 }),
      values(node.additionalProperties),
      {
        maxKeys: 3,
      },
    );
    return fc
      .tuple(extraProperties, record)
      .map(([extra, declared]) => ({ ...extra, ...declared }));
  }

  return values(root);
}
