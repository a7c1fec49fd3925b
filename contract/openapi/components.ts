import type { Parameter } from './collect-operations.ts';
import type { Example } from './examples.ts';
import { headers } from './headers.ts';
import { securitySchemes } from './info.ts';
import type { Schemas } from './json-schema.ts';
import { addOnce, isObject, sortKeys, type JsonObject } from './json.ts';
import { withPatterns } from './patterns.ts';
import { completeSchema } from './schema.ts';
import { variantsOf } from './variants.ts';

/** Each `add…` method returns references. */
export class ComponentCollector {
  readonly #schemas: JsonObject;
  readonly #parameters: JsonObject = {};
  readonly #responses: JsonObject = {};
  readonly #examples: JsonObject = {};

  constructor(schemas: Schemas) {
    this.#schemas = Object.fromEntries(
      Object.entries({ ...schemas, ...variantsOf(schemas) }).map(([name, schema]) => [
        name,
        completeSchema(withPatterns(name, schema)),
      ]),
    );
  }

  description(name: string): string {
    const schema = this.#schemas[name];
    if (!isObject(schema) || typeof schema['description'] !== 'string')
      throw new Error(`The schema ${name} has no description.`);
    return schema['description'];
  }

  /** Returns a header parameter as a reference, a query parameter inline. */
  addParameter({ name, schema, ...rest }: Parameter): JsonObject {
    const { default: value, ...typed } = schema;
    const fields = {
      ...rest,
      required: rest.required ?? false,
      schema: {
        ...(completeSchema(typed) as JsonObject),
        ...(value !== undefined && { default: value }),
      },
    };
    if (rest.in === 'query') return { name, ...fields };
    const header = name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const key = header.replaceAll('-', '');
    addOnce(this.#parameters, key, {
      name: header,
      ...fields,
    });
    return { $ref: `#/components/parameters/${key}` };
  }

  addResponse(name: string, response: JsonObject): JsonObject {
    const key = uniqueName(this.#responses, name, response);
    this.#responses[key] = response;
    return { $ref: `#/components/responses/${key}` };
  }

  addExamples(examples: readonly Example[]): JsonObject {
    return Object.fromEntries(
      examples.map(({ name: baseName, ...example }) => {
        const name = uniqueName(this.#examples, baseName, example);
        this.#examples[name] = example;
        return [name, { $ref: `#/components/examples/${name}` }];
      }),
    );
  }

  build(): JsonObject {
    return {
      securitySchemes,
      schemas: sortKeys(this.#schemas),
      parameters: sortKeys(this.#parameters),
      headers,
      responses: sortKeys(this.#responses),
      examples: sortKeys(this.#examples),
    };
  }
}

/**
 * Appends a number if a different component already has the name, because the limits in a refusal
 * may differ between endpoints.
 */
function uniqueName(components: JsonObject, baseName: string, component: JsonObject): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? baseName : `${baseName}${count}`;
    if (
      components[name] === undefined ||
      JSON.stringify(components[name]) === JSON.stringify(component)
    )
      return name;
  }
}
