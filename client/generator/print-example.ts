import { inspect } from 'node:util';
import { exampleOf } from '../../openapi/example-of.ts';
import type { Schemas } from '../../openapi/json-schema.ts';

/** Prints a value of a named schema as one would write it. */
export function printExample(name: string, schemas: Schemas): string {
  return inspect(exampleOf({ $ref: name }, schemas), { depth: null });
}
