import { z } from 'zod';

/** A JSON Schema as zod writes it, with the sentence that refuses a value. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  description?: string | undefined;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  refusal?: string;
}

/** The named schemas of a request or a response, and the name of the outermost one. */
export interface NamedSchemas {
  name: string;
  definitions: Record<string, Schema>;
}

/** Writes a zod schema as named JSON Schemas; those of a request say what refuses each field. */
export function namedSchemas(schema: z.ZodType, io: 'input' | 'output'): NamedSchemas {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output' || !(zodSchema instanceof z.ZodObject)) return;
      for (const [key, field] of Object.entries(zodSchema.shape)) {
        const property = jsonSchema.properties?.[key];
        const refusal = refusalOf(field);
        if (typeof property === 'object' && refusal !== undefined)
          Object.assign(property, { refusal });
      }
    },
  }) as Schema;
  const name = referenced(json);
  if (name === '' || json.$defs === undefined)
    throw new Error('The body of a request or response needs an id.');
  for (const definition of Object.values(json.$defs))
    for (const property of Object.values(definition.properties ?? {}))
      property.description ??= json.$defs[referenced(property)]?.description;
  return { name, definitions: json.$defs };
}

/** The name of the schema that a `$ref` points to. */
export function referenced({ $ref = '' }: Schema): string {
  return $ref.replace('#/$defs/', '');
}

// No schema accepts a symbol and few a line break: this is what the contract says to either.
function refusalOf(field: unknown): string | undefined {
  const messages = [Symbol(), '\n'].map(
    (value) => z.safeParse(field as z.ZodType, value).error?.issues[0]?.message,
  );
  const [first, second] = messages;
  return first !== undefined && second !== undefined && !second.startsWith('Invalid input')
    ? second
    : first;
}
