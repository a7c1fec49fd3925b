import type { Schemas } from '../../openapi/json-schema.ts';
import type { Operation, Walk } from '../../openapi/walk.ts';
import { printComment } from './print-docs.ts';
import { printExample } from './print-example.ts';
import { printDeclaration } from './print-type.ts';
import { statusDocs } from './statuses.ts';

/** Prints the source of the client's operations: their table, their types and their documentation. */
export function printOperations({ operations, schemas }: Walk): string {
  const areas = Object.entries(Object.groupBy(operations, ({ area }) => area));
  return [
    '// Generated from the contract: change it there and run `npm run generate`.',
    `import type { APIPromise } from './api-promise.ts';\nimport type { RequestOptions } from './options.ts';`,
    printTable(areas.map(([area, ofArea = []]) => [area, ofArea])),
    ...areas.map(([area, ofArea = []]) => printInterface(area, ofArea, schemas)),
    ...typesOf(operations, schemas).map((name) => printDeclaration(name, schemas)),
  ].join('\n\n');
}

function printTable(areas: readonly [area: string, operations: readonly Operation[]][]): string {
  const rows = areas.map(([area, operations]) => {
    const entries = operations.map(
      ({ id, method, path, request }) =>
        `${id}: ['${method}', '${path}', ${request !== undefined}],`,
    );
    return `${area}: {\n${entries.join('\n')}\n},`;
  });
  return `/** Method, path and whether a body is sent, of every operation by area. */\nexport const operations = {\n${rows.join('\n')}\n} as const;`;
}

function printInterface(area: string, operations: readonly Operation[], schemas: Schemas): string {
  const name = `${area.charAt(0).toUpperCase()}${area.slice(1)}Operations`;
  const methods = operations.map((operation) => printMethod(operation, schemas));
  return `/** The operations of \`client.${area}\`. */\nexport interface ${name} {\n${methods.join('\n\n')}\n}`;
}

function printMethod(operation: Operation, schemas: Schemas): string {
  const { area, id, method, path, route, request, responses } = operation;
  const answer = responses[200] ?? 'unknown';
  const example = request === undefined ? '' : printExample(request, schemas);
  const docs = [
    `${route.summary}: \`${method} ${path}\`.`,
    '',
    route.description,
    '',
    ...(request === undefined ? [] : [`@param body - ${schemas[request]?.description ?? ''}`]),
    '@param options - Settings of this call alone.',
    `@returns ${schemas[answer]?.description ?? ''}`,
    ...statusDocs(route.metadata),
    '@example',
    '```ts',
    ...`const answer = await client.${area}.${id}(${example});`.split('\n'),
    '```',
  ];
  const parameters = request === undefined ? '' : `body: ${request}, `;
  return `${printComment(docs)}\n${id}(${parameters}options?: RequestOptions): APIPromise<${answer}>;`;
}

/** The schemas of what is sent and returned; an error is a class of the client, not a body. */
function typesOf(operations: readonly Operation[], schemas: Schemas): string[] {
  const errors = new Set(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, name]) => (Number(status) < 400 ? [] : [name])),
    ),
  );
  return Object.keys(schemas).filter((name) => !errors.has(name));
}
