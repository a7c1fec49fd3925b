import { inspect } from 'node:util';
import type { z } from 'zod';
import type { RouteMetadata } from '../../contract/area.ts';
import { contract } from '../../contract/index.ts';
import { printComment } from './print-docs.ts';
import { printDeclaration } from './print-type.ts';
import { namedSchemas, referenced, type NamedSchemas, type Schema } from './schemas.ts';
import { statusDocs } from './statuses.ts';

interface Operation {
  method: string;
  path: string;
  summary: string;
  description: string;
  body?: unknown;
  responses: Record<number, z.ZodType>;
  metadata: RouteMetadata;
}

const areas = Object.entries(contract).map(([area, operations]) => ({
  area,
  type: `${area.charAt(0).toUpperCase()}${area.slice(1)}Operations`,
  operations: Object.entries(operations as unknown as Record<string, Operation>),
}));

/** Prints the source of the client's operations: their table, their types and their documentation. */
export function printOperations(): string {
  const declarations = new Map<string, { io: 'input' | 'output'; text: string; shape: string }>();
  function declare({ definitions }: NamedSchemas, io: 'input' | 'output'): void {
    for (const [name, schema] of Object.entries(definitions)) {
      const shape = shapeOf(schema);
      const known = declarations.get(name);
      if (known !== undefined && known.shape !== shape)
        throw new Error(`${name} differs between requests and responses.`);
      if (known?.io !== 'input')
        declarations.set(name, { io, shape, text: printDeclaration(name, schema) });
    }
  }

  const interfaces = areas.map(({ type, area, operations }) => {
    const methods = operations.map(([name, operation]) => {
      const body = bodyOf(operation);
      const response = namedSchemas(operation.responses[200]!, 'output');
      if (body !== undefined) declare(body, 'input');
      declare(response, 'output');
      return printMethod(area, name, operation, body, response);
    });
    return `/** The operations of \`client.${area}\`. */\nexport interface ${type} {\n${methods.join('\n\n')}\n}`;
  });

  return [
    '// Generated from the contract: change it there and run `npm run generate`.',
    `import type { APIPromise } from './api-promise.ts';\nimport type { RequestOptions } from './options.ts';`,
    printTable(),
    ...interfaces,
    ...[...declarations.values()].map(({ text }) => text),
  ].join('\n\n');
}

function printTable(): string {
  const rows = areas.map(({ area, operations }) => {
    const entries = operations.map(
      ([name, { method, path, ...rest }]) =>
        `${name}: ['${method}', '${path}', ${bodyOf(rest as Operation) !== undefined}],`,
    );
    return `${area}: {\n${entries.join('\n')}\n},`;
  });
  return `/** Method, path and whether a body is sent, of every operation by area. */\nexport const operations = {\n${rows.join('\n')}\n} as const;`;
}

function bodyOf({ body }: Operation): NamedSchemas | undefined {
  return typeof body === 'object' && body !== null && '_zod' in body
    ? namedSchemas(body as z.ZodType, 'input')
    : undefined;
}

function printMethod(
  area: string,
  name: string,
  operation: Operation,
  body: NamedSchemas | undefined,
  response: NamedSchemas,
): string {
  const call = `client.${area}.${name}`;
  const example = body === undefined ? '' : printExample(body);
  const docs = [
    `${operation.summary}: \`${operation.method} ${operation.path}\`.`,
    '',
    operation.description,
    '',
    ...(body === undefined
      ? []
      : [`@param body - ${body.definitions[body.name]?.description ?? ''}`]),
    '@param options - Settings of this call alone.',
    `@returns ${response.definitions[response.name]?.description ?? ''}`,
    ...statusDocs(operation.metadata),
    '@example',
    '```ts',
    ...`const answer = await ${call}(${example});`.split('\n'),
    '```',
  ];
  const parameters = body === undefined ? '' : `body: ${body.name}, `;
  return `${printComment(docs)}\n${name}(${parameters}options?: RequestOptions): APIPromise<${response.name}>;`;
}

function printExample({ name, definitions }: NamedSchemas): string {
  return inspect(exampleOf({ $ref: `#/$defs/${name}` }, definitions), { depth: null });
}

function exampleOf(schema: Schema, definitions: Record<string, Schema>): unknown {
  if (schema.$ref !== undefined) return exampleOf(definitions[referenced(schema)]!, definitions);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, definitions)];
  if (schema.anyOf !== undefined && schema.type === undefined)
    return exampleOf(schema.anyOf[0]!, definitions);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, field]) => [
      key,
      exampleOf(field, definitions),
    ]),
  );
}

// The structure alone: what may differ between a request and a response is only its documentation.
function shapeOf(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === 'refusal' || (key === 'additionalProperties' && value === false) ? undefined : value,
  );
}
