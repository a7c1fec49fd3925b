import type { Example } from './examples.ts';
import { headers } from './headers.ts';
import { isObject, ordered, type JsonObject } from './json.ts';
import type { Schemas } from './json-schema.ts';
import { withPatterns } from './patterns.ts';
import { completeSchema } from './schema.ts';
import { variantsOf } from './variants.ts';
import type { Parameter } from './walk.ts';

/** Collects everything that the document names once and refers to. */
export class ComponentCollector {
  readonly #schemas: JsonObject;
  readonly #parameters: JsonObject = {};
  readonly #responses: JsonObject = {};
  readonly #examples: JsonObject = {};

  readonly #securitySchemes: JsonObject;

  constructor(schemas: Schemas, securitySchemes: JsonObject) {
    this.#securitySchemes = securitySchemes;
    this.#schemas = Object.fromEntries(
      Object.entries({ ...schemas, ...variantsOf(schemas) }).map(([name, schema]) => [
        name,
        completeSchema(withPatterns(name, schema)),
      ]),
    );
  }

  /** Description of a schema. */
  description(name: string): string {
    const schema = this.#schemas[name];
    if (!isObject(schema) || typeof schema['description'] !== 'string')
      throw new Error(`The schema ${name} has no description.`);
    return schema['description'];
  }

  /** Parameter beside a body: a header by reference, what stands in a query as it is. */
  parameter({ name, schema, ...rest }: Parameter): JsonObject {
    const said = { ...rest, required: rest.required ?? false, schema: completeSchema(schema) };
    if (rest.in === 'query') return { name, ...said };
    const header = name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const key = header.replaceAll('-', '');
    add(this.#parameters, key, {
      name: header,
      ...said,
    });
    return { $ref: `#/components/parameters/${key}` };
  }

  /** A response by reference; one that differs from another of its name gets a number. */
  response(name: string, response: JsonObject): JsonObject {
    const free = freeName(this.#responses, name, response);
    this.#responses[free] = response;
    return { $ref: `#/components/responses/${free}` };
  }

  /** Examples by reference, as a media type lists them. */
  refer(examples: readonly Example[]): JsonObject {
    return Object.fromEntries(
      examples.map(({ name: wanted, ...example }) => {
        const name = freeName(this.#examples, wanted, example);
        this.#examples[name] = example;
        return [name, { $ref: `#/components/examples/${name}` }];
      }),
    );
  }

  all(): JsonObject {
    return {
      securitySchemes: this.#securitySchemes,
      schemas: ordered(this.#schemas),
      parameters: ordered(this.#parameters),
      headers,
      responses: ordered(this.#responses),
      examples: ordered(this.#examples),
    };
  }
}

/** A name that nothing else has: refusals of one code may differ by their numbers. */
function freeName(taken: JsonObject, wanted: string, component: JsonObject): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}${count}`;
    if (taken[name] === undefined || JSON.stringify(taken[name]) === JSON.stringify(component))
      return name;
  }
}

function add(components: JsonObject, name: string, component: JsonObject): void {
  const known = components[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`Two different components are named ${name}.`);
  components[name] = component;
}
