import type { Schemas } from './json-schema.ts';

/** One of the forms of a schema. */
export interface Variant {
  name: string;
  description: string;
  required: string[];
  /** Properties of the variant beyond the schema that all variants share. */
  properties: Schemas;
}
