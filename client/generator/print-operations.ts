import { inspect } from 'node:util';
import type { Schemas } from '../../openapi/json-schema.ts';
import { type Operation, type Parameter, queryOf, type Walk } from '../../openapi/walk.ts';
import { codeType, printMethodCodes } from './error-codes.ts';
import { fieldDocs, printComment } from './print-docs.ts';
import { printExample } from './print-example.ts';
import { printDeclaration, printType } from './print-type.ts';
import { statusDocs } from './statuses.ts';

/**
 * Prints the source of the operations of an entry: their table, their types and their documentation.
 * `client` is what they are called on in examples.
 */
export function printOperations({ operations, schemas }: Walk, client: string): string {
  const areas = Object.entries(Object.groupBy(operations, ({ area }) => area));
  return [
    '// Generated from the contract: change it there and run `npm run generate`.',
    `import type { APIPromise } from './api-promise.ts';\nimport type { RequestOptions } from './options.ts';`,
    printTable(areas.map(([area, ofArea = []]) => [area, ofArea])),
    ...areas.map(([area, ofArea = []]) =>
      printInterface(
        area,
        ofArea.map((operation) => printMethod(operation, schemas, client)),
        client,
      ),
    ),
    printMethodCodes(operations, client),
    ...typesOf(operations, schemas).map((name) => printDeclaration(name, schemas)),
  ].join('\n\n');
}

/** Prints the type of an entry that has every area. */
export function printAreas({ operations }: Walk, name: string): string {
  const client = name.toLowerCase();
  const areas = [...new Set(operations.map(({ area }) => area))].map(
    (area) =>
      `/** The operations of \`${client}.${area}\`. */\nreadonly ${area}: ${interfaceOf(area)};`,
  );
  return `/** The operations of an entry, by area. */\nexport interface ${name} {\n${areas.join('\n')}\n}`;
}

function printTable(areas: readonly [area: string, operations: readonly Operation[]][]): string {
  const rows = areas.map(([area, operations]) => {
    const entries = operations.map(
      (operation) =>
        `${operation.id}: ['${operation.method}', '${operation.path}', ${sends(operation)}],`,
    );
    return `${area}: {\n${entries.join('\n')}\n},`;
  });
  return `/** Method, path and whether a body is sent, of every operation by area. */\nexport const operations = {\n${rows.join('\n')}\n} as const;`;
}

function printInterface(area: string, methods: readonly string[], client: string): string {
  return `/** The operations of \`${client}.${area}\`. */\nexport interface ${interfaceOf(area)} {\n${methods.join('\n\n')}\n}`;
}

function interfaceOf(area: string): string {
  return `${area.charAt(0).toUpperCase()}${area.slice(1)}Operations`;
}

function printMethod(operation: Operation, schemas: Schemas, client: string): string {
  const { area, id, method, path, route, request, responses } = operation;
  const answer = responses[200] ?? 'unknown';
  const query = queryParameters(operation);
  const example =
    request !== undefined
      ? printExample(request, schemas)
      : isNeeded(query)
        ? inspect(queryOf(operation))
        : '';
  const docs = [
    `${route.summary}: \`${method} ${path}\`.`,
    '',
    route.description,
    '',
    `The \`code\` of its errors is a \`${codeType(id)}\`.`,
    '',
    ...(request === undefined ? [] : [`@param body - ${schemas[request]?.description ?? ''}`]),
    ...(query.length === 0 ? [] : ['@param query - What is asked for.']),
    '@param options - Settings of this call alone.',
    `@returns ${schemas[answer]?.description ?? ''}`,
    ...statusDocs(route.metadata),
    '@example',
    '```ts',
    ...`const answer = await ${client}.${area}.${id}(${example});`.split('\n'),
    '```',
  ];
  const parameters = request === undefined ? printQuery(query) : `body: ${request}, `;
  return `${printComment(docs)}\n${id}(${parameters}options?: RequestOptions): APIPromise<${answer}>;`;
}

/** Whether a body is sent, or a query. */
function sends(operation: Operation): string {
  return queryParameters(operation).length > 0 ? `'query'` : `${operation.request !== undefined}`;
}

function queryParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function isNeeded(query: readonly Parameter[]): boolean {
  return query.some(({ required }) => required);
}

function printQuery(query: readonly Parameter[]): string {
  if (query.length === 0) return '';
  const fields = query.map(({ name, required, description, schema }) => {
    const field = `${name}${required ? '' : '?'}: ${printType(schema)}${required ? '' : ' | undefined'};`;
    return `${printComment(fieldDocs({ ...schema, description }))}\n${field}`;
  });
  return `query${isNeeded(query) ? '' : '?'}: {\n${fields.join('\n')}\n}, `;
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
