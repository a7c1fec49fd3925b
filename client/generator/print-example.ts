import { inspect } from 'node:util';
import { referenced, type Schema, type Schemas } from '../../openapi/json-schema.ts';

/** Prints a value of a named schema as one would write it, made from the examples of its fields. */
export function printExample(name: string, schemas: Schemas): string {
  return inspect(exampleOf({ $ref: name }, schemas), { depth: null });
}

function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[referenced(schema)] ?? {}, schemas);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, schemas)];
  if (schema.anyOf?.[0] !== undefined && schema.type === undefined)
    return exampleOf(schema.anyOf[0], schemas);
  if (schema.properties === undefined)
    throw new Error(`No example of this: ${JSON.stringify(schema)}`);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, exampleOf(field, schemas)]),
  );
}
