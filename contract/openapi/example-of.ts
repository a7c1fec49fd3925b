import { referencedName, type Schema, type Schemas } from './json-schema.ts';

export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) return exampleOf(schemas[referencedName(schema)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if ([schema.type].flat().includes('null')) return null;
  if ('contentMediaType' in schema) return '';
  if (schema.default !== undefined) return schema.default;
  if (schema.format === 'uuid') return '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
  if (schema.format === 'date') return '2026-01-31';
  if (schema.format === 'date-time') return '2026-01-31T09:30:00.000Z';
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
