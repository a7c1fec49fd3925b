import { z } from 'zod';
import type { Example } from './examples/example.ts';
import { headers } from './headers.ts';
import { securitySchemes } from './info.ts';
import { isObject, ordered, type Json, type JsonObject } from './json.ts';
import { completeSchema } from './schema.ts';
import { variantsOf } from './variants.ts';

/** Collects everything that the document names once and refers to. */
export class ComponentCollector {
  readonly #schemas: JsonObject = {};
  readonly #parameters: JsonObject = {};
  readonly #responses: JsonObject = {};
  readonly #examples: JsonObject = {};

  /** A schema of the contract as the document says it: a `$ref` if it has a name. */
  schema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _dialect, $defs, ...root } = z.toJSONSchema(schema, { io }) as JsonObject;
    for (const [name, definition] of Object.entries(isObject($defs) ? $defs : {}))
      add(this.#schemas, name, completeSchema(definition) as JsonObject);
    return completeSchema(root) as JsonObject;
  }

  /** What a referenced schema says about itself. */
  description(reference: Json | undefined): string {
    const name = isObject(reference) ? String(reference.$ref).split('/').at(-1)! : '';
    const schema = this.#schemas[name];
    if (!isObject(schema) || typeof schema.description !== 'string')
      throw new Error(`The schema ${name} has no name or no description.`);
    return schema.description;
  }

  /**
   * A request header, by reference. Its own example is moved to where OpenAPI has it; the API reference
   * leaves it switched off, since an `Idempotency-Key` sent twice would get the first answer again.
   */
  parameter({ name, schema, ...rest }: JsonObject): JsonObject {
    const header = String(name).replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const key = header.replaceAll('-', '');
    const { examples, ...valueSchema } = schema as JsonObject;
    const [example] = examples as Json[];
    add(this.#parameters, key, {
      name: header,
      ...rest,
      required: false,
      schema: valueSchema,
      examples: { [key]: { value: example!, 'x-disabled': true } },
    });
    return { $ref: `#/components/parameters/${key}` };
  }

  response(name: string, response: JsonObject): JsonObject {
    add(this.#responses, name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Examples by reference, as a media type lists them. */
  refer(examples: readonly Example[]): JsonObject {
    return Object.fromEntries(
      examples.map(({ name, ...example }) => {
        add(this.#examples, name, example);
        return [name, { $ref: `#/components/examples/${name}` }];
      }),
    );
  }

  all(): JsonObject {
    return {
      securitySchemes,
      schemas: ordered({ ...this.#schemas, ...variantsOf(this.#schemas) }),
      parameters: ordered(this.#parameters),
      headers,
      responses: ordered(this.#responses),
      examples: ordered(this.#examples),
    };
  }
}

function add(components: JsonObject, name: string, component: JsonObject): void {
  const known = components[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`Two different components are named ${name}.`);
  components[name] = component;
}
