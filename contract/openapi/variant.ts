import type { Schemas } from './json-schema.ts';

/** One alternative of a schema, such as one kind of block. */
export interface Variant {
  name: string;
  description: string;
  required: string[];
  /** Properties beyond those of the base schema. */
  properties: Schemas;
}
