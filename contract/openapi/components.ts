import { shareBlockFields } from './block-variants.ts';
import type { Parameter } from './collect-operations.ts';
import { exampleOf } from './example-of.ts';
import { headers } from './headers.ts';
import { securitySchemes } from './info.ts';
import type { Schemas } from './json-schema.ts';
import { addOnce, isObject, sortKeys, type Json, type JsonObject } from './json.ts';
import { completeSchema } from './schema.ts';
import { variantsOf } from './variants.ts';

/** Each `add…` method returns references. */
export class ComponentCollector {
  readonly #collected: Schemas;
  readonly #schemas: JsonObject;
  readonly #parameters: JsonObject = {};
  readonly #responses: JsonObject = {};
  /** By JSON. */
  readonly #responseNames = new Map<string, string>();

  constructor(schemas: Schemas) {
    this.#collected = schemas;
    this.#schemas = Object.fromEntries(
      Object.entries(shareBlockFields({ ...schemas, ...variantsOf(schemas) })).map(
        ([name, schema]) => [name, completeSchema(schema)],
      ),
    );
  }

  description(name: string): string {
    const schema = this.#schemas[name];
    if (!isObject(schema) || typeof schema['description'] !== 'string')
      throw new Error(`The schema ${name} has no description.`);
    return schema['description'];
  }

  /** Made of the examples of the fields. */
  exampleOf(name: string): Json {
    return exampleOf({ $ref: name }, this.#collected) as Json;
  }

  /** Returns a header parameter as a reference, a query parameter inline. */
  addParameter({ name, description: text, schema, ...rest }: Parameter): JsonObject {
    const { default: value, ...typed } = schema;
    const { description = text, ...completed } = completeSchema({
      ...typed,
      description: text,
    }) as JsonObject;
    const fields = {
      ...rest,
      description,
      required: rest.required ?? false,
      schema: {
        ...completed,
        ...(typed.examples && { examples: typed.examples }),
        ...(value !== undefined && { default: value }),
      },
    };
    if (rest.in === 'query') return { name, ...fields };
    const header = name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const key = header.replaceAll('-', '');
    // The headers of webhooks are written as Standard Webhooks does.
    addOnce(this.#parameters, key, {
      name: name.startsWith('webhook-') ? name : header,
      ...fields,
    });
    return { $ref: `#/components/parameters/${key}` };
  }

  /** Equal responses are stored once. A number is appended if a different one has the name. */
  addResponse(baseName: string, response: JsonObject): JsonObject {
    const text = JSON.stringify(response);
    let name = this.#responseNames.get(text) ?? baseName;
    for (
      let count = 2;
      name in this.#responses && this.#responseNames.get(text) !== name;
      count += 1
    )
      name = `${baseName}${count}`;
    this.#responseNames.set(text, name);
    this.#responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  build(): JsonObject {
    return {
      securitySchemes,
      schemas: sortKeys(this.#schemas),
      parameters: sortKeys(this.#parameters),
      headers,
      responses: sortKeys(this.#responses),
    };
  }
}
