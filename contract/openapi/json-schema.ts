import { z } from 'zod';
import type { Json } from './json.ts';

/** A JSON Schema as zod writes it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  format?: string;
  contentMediaType?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  default?: Json;
  description?: string;
  deprecated?: boolean;
  examples?: Json[];
  properties?: Schemas;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  $defs?: Schemas;
  /** Null omits it: additional fields are valid, but generated types do not have them. */
  additionalProperties?: Schema | boolean | null;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
};

export type Schemas = { [name: string]: Schema };

/** `definitions` are the named schemas that `root` refers to. */
export function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): { root: Schema; definitions: Schemas } {
  const {
    $schema: _dialect,
    $defs: definitions = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // zod omits defaults and examples of fields that convert text to a number.
      if (zodSchema instanceof z.ZodDefault)
        jsonSchema.default ??= zodSchema.def.defaultValue as Json;
      if (zodSchema instanceof z.ZodType) {
        const { examples } = zodSchema.meta() ?? {};
        if (Array.isArray(examples)) jsonSchema.examples ??= examples as Json[];
      }
      // A newer server may add fields to a response.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        (jsonSchema as Schema).additionalProperties = null;
    },
  }) as Schema & { $schema: string; $defs?: Schemas };
  return { root, definitions };
}

export function referencedName({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? '';
}
