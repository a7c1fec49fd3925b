import { BLOCK_ID, EXAMPLE_TIME } from '../examples.ts';
import { referencedName, type Schema, type Schemas } from './json-schema.ts';

export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) return exampleOf(schemas[referencedName(schema)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if ([schema.type].flat().includes('null')) return null;
  if ('contentMediaType' in schema) return '';
  if (schema.default !== undefined) return schema.default;
  if (schema.format === 'uuid') return BLOCK_ID;
  if (schema.format === 'date') return '2026-01-31';
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'object' && schema.properties === undefined) return {};
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, schemas)];
  if (schema.anyOf?.[0] !== undefined && schema.type === undefined)
    return exampleOf(schema.anyOf[0], schemas);
  if (schema.properties === undefined)
    throw new Error(`The schema has no example: ${JSON.stringify(schema)}`);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, exampleOf(field, schemas)]),
  );
}
