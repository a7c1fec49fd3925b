import { z } from 'zod';
import type { Json } from './json.ts';

/** A JSON Schema as zod writes it, with the sentence that refuses a value and the known among all values. */
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
  examples?: Json[];
  properties?: Schemas;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  additionalProperties?: Schema | boolean;
  refusal?: string;
  known?: Json[];
};

/** Schemas by name. */
export type Schemas = { [name: string]: Schema };

/** Writes a zod schema as JSON Schema, and those with a name that are in it; a request's fields say what refuses them. */
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
      // zod leaves them out where a text becomes a number.
      if (zodSchema instanceof z.ZodDefault)
        jsonSchema.default ??= zodSchema.def.defaultValue as Json;
      if (zodSchema instanceof z.ZodType) {
        const { examples } = zodSchema.meta() ?? {};
        if (Array.isArray(examples)) jsonSchema.examples ??= examples as Json[];
      }
      if (io === 'output' || !(zodSchema instanceof z.ZodObject)) return;
      for (const [key, field] of Object.entries(zodSchema.shape)) {
        const property = jsonSchema.properties?.[key];
        const refusal = field instanceof z.ZodType ? refusalOf(field) : undefined;
        if (typeof property === 'object' && refusal !== undefined)
          Object.assign(property, { refusal });
      }
    },
  }) as Schema & { $schema: string; $defs?: Schemas };
  return { root, definitions };
}

/** The name of the schema that a `$ref` points to. */
export function referenced({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? '';
}

// No schema accepts a symbol and few a line break: this is what the contract says to either.
function refusalOf(field: z.ZodType): string | undefined {
  const [first, second] = [Symbol(), '\n'].map(
    (value) => field.safeParse(value).error?.issues[0]?.message,
  );
  return first !== undefined && second !== undefined && !second.startsWith('Invalid input')
    ? second
    : first;
}
