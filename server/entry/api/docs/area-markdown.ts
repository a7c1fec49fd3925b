import type { Schema } from '#contract/openapi/json-schema.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { codeSamples } from './code-samples.ts';
import { errorsByStatus, listErrors } from './list-errors.ts';
import { listParameters, listResponses, type Route } from './operation.ts';
import {
  describeType,
  enumOf,
  type Field,
  nestedFields,
  readObject,
  type SchemaContext,
} from './reference-schema.ts';
import { ERRORS_FILE } from './references.ts';

const sharedErrors = listErrors().filter(({ section }) => section.startsWith('Every '));
const sharedCodes = new Set(sharedErrors.map(({ code }) => code));

/** The operations of an area with all their fields, and the objects that these name. */
export function renderArea(document: OpenApiDocument, area: string, origin: string): string {
  // As if nested, so that objects with a name are shown once, below the operations.
  const context: SchemaContext = { document, linkedSchemas: new Set(), isNested: true };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === area)
      .map(([method, operation]) => ({ method, path, operation })),
  );
  const operations = routes.map((route) => renderOperation(context, route));
  // A set also visits the names that rendering adds.
  const objects = context.linkedSchemas.size > 0 ? ['## Objects'] : [];
  for (const name of context.linkedSchemas)
    objects.push(`### ${name}`, renderObject(context, { $ref: `#/components/schemas/${name}` }));
  const errors = [
    ...Map.groupBy(sharedErrors, ({ section, status }) => `${section}, ${status}`),
  ].map(([title, equal]) => `- ${title}: ${equal.map(({ code }) => code).join(', ')}`);
  const parameters = routes.flatMap(({ operation }) => listParameters(document, operation));
  const headers = new Map(
    parameters.flatMap((field) => (field.in === 'header' ? [[field.name, field] as const] : [])),
  );
  const intro = [
    `# ${area}`,
    `An error has its code in \`X-Error-Code\`; ${origin}${ERRORS_FILE} says what to do. Operations list only codes of their own, and those with “no key” never answer 401 or 403. Shared codes:`,
    errors.join('\n'),
    'Shared headers:',
    renderFields(context, [...headers.values()]),
  ];
  return `${[...intro, ...operations, ...objects].join('\n\n')}\n`;
}

function renderOperation(context: SchemaContext, { method, path, operation }: Route): string {
  const { summary, description, requestBody, 'x-scope': scope } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const [response] = listResponses(context.document, operation);
  const parameters = listParameters(context.document, operation);
  const [success] = Object.values(response?.response.content ?? {});
  const errors = errorsByStatus(operation.operationId).flatMap(([status, list]) => {
    const codes = list.map(([code]) => code).filter((code) => !sharedCodes.has(code));
    return codes.length > 0 ? [`- ${status}: ${codes.join(', ')}`] : [];
  });
  const [curl] = codeSamples(context.document, { method, path, operation });
  const sections: [string, string | undefined][] = [
    ['Body', body && renderObject(context, body.schema)],
    ['Parameters', renderFields(context, parameters.map(withoutHeaderText))],
    ['Response', success && renderObject(context, success.schema)],
    ['Errors', errors.join('\n')],
    ['Example', `\`\`\`sh\n${curl!.source}\n\`\`\``],
  ];
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\` (${scope ? `scope \`${scope}\`` : 'no key'})`,
    description,
    ...sections.flatMap(([title, text]) => (text ? [`### ${title}`, text] : [])),
  ].join('\n\n');
}

/** The document begins with the texts of headers, which would be the same in every operation. */
function withoutHeaderText({ schema, ...field }: Field): Field {
  return { ...field, schema: field.in === 'header' ? { ...schema, description: '' } : schema };
}

function renderObject(context: SchemaContext, schema: Schema): string {
  const { description, variants, fields } = readObject(context.document, schema);
  const parts = [
    description,
    variants.length > 0 && `One of ${variants.map((it) => typeOf(context, it)).join(', ')}.`,
    renderFields(context, fields),
  ];
  return parts.filter((part) => part).join('\n\n');
}

export function renderFields(
  context: SchemaContext,
  fields: readonly Field[],
  indent = '',
): string {
  const lines = fields.flatMap(({ name, required, schema, in: location }) => {
    const nested = nestedFields(context, schema);
    const { default: standard, description = '' } = schema;
    const values = enumOf(schema) ?? [];
    const facts = [
      nested?.type ?? typeOf(context, schema),
      ...(location === undefined || location === 'query' ? [] : [`in ${location}`]),
      ...(values.length > 0
        ? [`one of ${values.map((value) => JSON.stringify(value)).join(' ')}`]
        : []),
      ...(standard === undefined ? [] : [`default ${JSON.stringify(standard)}`]),
      ...(required ? ['required'] : []),
    ];
    const inner = renderFields({ ...context, isNested: true }, nested?.fields ?? [], `${indent}  `);
    return [
      `${indent}- \`${name}\` (${facts.join(', ')})${description && `: ${description}`}`,
      ...(inner ? [inner] : []),
    ];
  });
  return lines.join('\n');
}

function typeOf({ linkedSchemas }: SchemaContext, schema: Schema): string {
  return describeType(schema, (name) => {
    linkedSchemas.add(name);
    return `[${name}](#${name.toLowerCase()})`;
  }).join('');
}
