import {
  type Operation,
  type Parameter,
  exampleQuery,
  type CollectedContract,
} from '../../contract/openapi/collect-operations.ts';
import { exampleOf } from '../../contract/openapi/example-of.ts';
import { printFieldDocs, printValue } from '../../contract/openapi/field-docs.ts';
import type { Schema, Schemas } from '../../contract/openapi/json-schema.ts';
import { printMethodCodes, printThrows } from './error-codes.ts';
import { printComment } from './print-docs.ts';
import { printDeclaration, printType } from './print-type.ts';

const MAX_EXAMPLE_LENGTH = 80;

/** Handwritten arguments by operation id, for methods whose generated example shows too little. */
const CUSTOM_EXAMPLES: Readonly<Record<string, string>> = {
  updateSiteConfiguration:
    "{ bio: 'Potter in Lisbon.', blocks: [{ type: 'link', url: 'https://example.com' }] }",
};

/** Types that `sharedTypes` declares identically are imported from its file. */
export function printOperations(
  { operations, schemas }: CollectedContract,
  client: string,
  sharedTypes?: { file: string; types: ReadonlyMap<string, string> },
): string {
  const areas = Object.entries(Object.groupBy(operations, ({ area }) => area));
  const types = [...printDeclarations({ operations, schemas })];
  const ownTypes = types.filter(([name, text]) => sharedTypes?.types.get(name) !== text);
  const body = [
    ...areas.map(([area, areaOperations = []]) =>
      printClass(
        area,
        areaOperations.map((operation) => printMethod(operation, schemas, client)),
        client,
      ),
    ),
    printMethodCodes(operations, client),
    ...ownTypes.map(([, text]) => text),
  ].join('\n\n');
  const sharedNames = types.filter((type) => !ownTypes.includes(type)).map(([name]) => name);
  const imports = [
    `import type { APIPromise, Requester } from '../api-promise.ts';`,
    `import type { RequestOptions } from '../options.ts';`,
    ...(operations.some(({ route }) => route.metadata.listField)
      ? [`import { type ListPromise, listPromise } from '../list-promise.ts';`]
      : []),
    `import type { OtherValue } from '../other-value.ts';`,
    ...(ownTypes.some(([name]) => name === 'OtherBlock')
      ? [`import type { OtherKind } from '../blocks.ts';`]
      : []),
    ...(operations.some((operation) => queryParameters(operation).length > 0)
      ? [`import { withQuery } from '../with-query.ts';`]
      : []),
  ];
  if (sharedTypes)
    imports.push(
      `import type { ${sharedNames.join(', ')} } from '${sharedTypes.file}';`,
      '',
      `export type { ${sharedNames.join(', ')} };`,
    );
  return [
    '// Generated from the contract: change it there and run `npm run generate`.',
    imports.join('\n'),
    body,
  ].join('\n\n');
}

export function printDeclarations({ operations, schemas }: CollectedContract): Map<string, string> {
  return new Map(
    schemaNamesWithTypes(operations, schemas).map((name) => [
      name,
      printDeclaration(name, schemas),
    ]),
  );
}

export function printAreas({ operations }: CollectedContract, name: string): string {
  const areas = [...new Set(operations.map(({ area }) => area))];
  const fields = areas.map(
    (area) =>
      `/** Operations of \`${name.toLowerCase()}.${area}\`. */\nreadonly ${area}: ${classNameOf(area)};`,
  );
  const initializers = areas.map((area) => `this.${area} = new ${classNameOf(area)}(client);`);
  return `/** All operations, by area. */\nexport class ${name} {\n${fields.join('\n')}\n\nconstructor(client: Requester) {\n${initializers.join('\n')}\n}\n}`;
}

function printClass(area: string, methods: readonly string[], client: string): string {
  return `/** Operations of \`${client}.${area}\`. */
export class ${classNameOf(area)} {
readonly #client: Requester;

constructor(client: Requester) {
this.#client = client;
}

${methods.join('\n\n')}
}`;
}

function classNameOf(area: string): string {
  return `${area.charAt(0).toUpperCase()}${area.slice(1)}Operations`;
}

function printMethod(operation: Operation, schemas: Schemas, client: string): string {
  const { id, method, path, route, request, responses } = operation;
  const { listField: list } = route.metadata;
  const responseType = responses[200] ?? 'unknown';
  const query = queryParameters(operation);
  const docs = [
    `${route.summary}: \`${method} ${path}\`.`,
    route.description,
    route.metadata.deprecation ? `@deprecated ${route.metadata.deprecation}` : '',
    printThrows(operation),
    ...printCallExample(operation, schemas, client),
  ];
  const parameters = request === undefined ? printQuery(query) : `body: ${request}, `;
  const hasCursor = query.some(({ name }) => name === 'after');
  const queryExpression = hasCursor ? '{ ...query, after }' : 'query';
  const url = query.length === 0 ? `'${path}'` : `withQuery('${path}', ${queryExpression})`;
  const body = request === undefined ? 'undefined' : 'body';
  const call = `this.#client.request('${method}', ${url}, ${body}, options)`;
  if (route.metadata.fileTypes)
    return `${printComment(docs)}
${id}(${parameters}options?: RequestOptions): Promise<Response> {
return ${call}.asResponse();
}`;
  if (list === undefined)
    return `${printComment(docs)}
${id}(${parameters}options?: RequestOptions): APIPromise<${responseType}> {
return ${call};
}`;
  const after = hasCursor ? `after = query${isRequired(query) ? '' : '?'}.after` : '';
  return `${printComment(docs)}
${id}(${parameters}options?: RequestOptions): ListPromise<${responseType}, ${entryTypeOf(schemas[responseType], list)}> {
return listPromise('${list}', (${after}) => ${call});
}`;
}

function entryTypeOf(response: Schema = {}, list: string): string {
  const { items } = response.properties?.[list] ?? {};
  if (items === undefined) throw new Error(`The response has no list ${list}.`);
  return printType(items);
}

function queryParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function isRequired(query: readonly Parameter[]): boolean {
  return query.some(({ required }) => required);
}

function printQuery(query: readonly Parameter[]): string {
  if (query.length === 0) return '';
  const fields = query.map(({ name, required, description, deprecated, schema }) => {
    const field = `${name}${required ? '' : '?'}: ${printType(schema)}${required ? '' : ' | undefined'};`;
    return `${printComment([printFieldDocs({ ...schema, description, ...(deprecated && { deprecated }) })])}\n${field}`;
  });
  return `query${isRequired(query) ? '' : '?'}: {\n${fields.join('\n')}\n}, `;
}

/**
 * Lists the schemas that need types. Error bodies need none, because errors are classes of the client.
 * Files need none, because their methods return a `Response`.
 */
function schemaNamesWithTypes(operations: readonly Operation[], schemas: Schemas): string[] {
  const withoutType = new Set(
    operations.flatMap(({ responses, route }) =>
      Object.entries(responses).flatMap(([status, name]) =>
        Number(status) < 400 && !route.metadata.fileTypes ? [] : [name],
      ),
    ),
  );
  return Object.keys(schemas).filter((name) => !withoutType.has(name));
}

/** Methods without arguments need no example, except lists and files. */
function printCallExample(operation: Operation, schemas: Schemas, client: string): string[] {
  const { area, id, request, route } = operation;
  const { listField, uploadTypes } = route.metadata;
  const argument = uploadTypes
    ? "await readFile('picture.jpg')"
    : request !== undefined
      ? (CUSTOM_EXAMPLES[id] ?? printExample(request, schemas))
      : isRequired(queryParameters(operation))
        ? printValue(exampleQuery(operation))
        : '';
  const call = `${client}.${area}.${id}(${argument})`;
  if (listField !== undefined)
    return ['@example', `for await (const entry of ${call}) console.log(entry);`];
  if (route.metadata.fileTypes)
    return ['@example', `const { body } = await ${call}; // a ReadableStream`];
  return argument === '' ? [] : ['@example', `const result = await ${call};`];
}

/** Prints the required fields, and as many optional ones as fit in one line. */
function printExample(name: string, schemas: Schemas): string {
  const { required = [] } = schemas[name] ?? {};
  const all = Object.entries(exampleOf({ $ref: name }, schemas) as Record<string, unknown>);
  let example = Object.fromEntries(all.filter(([key]) => required.includes(key)));
  for (const [key, value] of all) {
    const longer = Object.fromEntries(all.filter(([other]) => other === key || other in example));
    if (value !== null && printValue(longer).length <= MAX_EXAMPLE_LENGTH) example = longer;
  }
  return printValue(example);
}
