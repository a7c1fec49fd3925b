import { STATUS_CODES } from 'node:http';
import { inputOf, type RouteMetadata } from '#contract/define-endpoints.ts';
import { errorCodeOf } from '#contract/fields.ts';
import { formatMessage, type Refusal } from '#contract/refusal.ts';
import { withFieldName } from '#contract/schema-refusals.ts';
import { isPublic, type Operation } from './collect-operations.ts';
import type { ComponentCollector } from './components.ts';
import { headersOf } from './headers.ts';
import type { Json, JsonObject } from './json.ts';

type Errors = [code: string, refusal: Refusal][];

export function buildResponse(
  operation: Operation,
  status: number,
  components: ComponentCollector,
): JsonObject {
  const schema = operation.responses[status]!;
  // Some generators look for the body of a successful response only inline.
  if (status === 200)
    return {
      description: components.description(schema),
      headers: headersOf(operation, status, []),
      content: successContent(operation, schema, components),
    };
  const { refusals, sharedRefusals } = operation.route.metadata;
  const own = withStatus(refusals, status);
  const shared = withStatus(sharedRefusals, status).filter(([code]) => !(code in refusals));
  const isOwn = own.length > 0;
  return components.addResponse(responseName(operation, status, isOwn ? [] : shared), {
    // Errors that many operations have are explained in the response that has only them.
    description: describeErrors(isOwn ? own : shared),
    'x-error-codes': [...own, ...shared].map(([code]) => code),
    headers: headersOf(operation, status, [...own, ...shared]),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        ...(isOwn
          ? { examples: errorExamples(operation, own) }
          : { example: { error: exampleMessage(shared[0]!) } }),
      },
    },
  });
}

function successContent(
  { route }: Operation,
  schema: string,
  components: ComponentCollector,
): JsonObject {
  const { fileTypes = ['application/json'], fileExamples = {} } = route.metadata;
  return Object.fromEntries(
    fileTypes.map((type) => {
      const file = fileExamples[type];
      const content = {
        schema: (file?.schema as JsonObject | undefined) ?? {
          $ref: `#/components/schemas/${schema}`,
        },
        example: file ? (file.value as Json) : components.exampleOf(schema),
      };
      return [type, (file ?? !route.metadata.fileTypes) ? content : { schema: content.schema }];
    }),
  );
}

function describeErrors(errors: Errors): string {
  const texts = errors.map(([code, { when }]) => `\`${code}\`: ${when}`);
  return texts.length > 1 ? texts.map((text) => `- ${text}`).join('\n') : texts[0]!;
}

function errorExamples({ route }: Operation, errors: Errors): JsonObject {
  const codesOfFields = new Set(Object.values(inputOf(route).fields).map(errorCodeOf));
  return Object.fromEntries(
    errors.map((error) => {
      const [code, { message, field }] = error;
      const text = exampleMessage(error);
      const isRule = codesOfFields.has(code) && !/\{/.test(message);
      return [code, { value: { error: isRule ? withFieldName(text, field) : text } }];
    }),
  );
}

/** Each operation has its own message for internal errors, which would need a response of its own. */
function exampleMessage([code, { message, example }]: Errors[number]): string {
  return code === 'internalError'
    ? 'Something went wrong on the server.'
    : formatMessage(message, example);
}

function withStatus(refusals: RouteMetadata['refusals'], status: number): Errors {
  return Object.entries(refusals).filter(([, refusal]) => refusal.status === status);
}

/** Many operations share the same response, which has only `shared` errors. */
function responseName(operation: Operation, status: number, shared: Errors): string {
  const [code, ...others] = shared.map(([name]) => name);
  if (code === undefined) return `${toPascalCase(operation.id)}${statusPhrase(status)}`;
  if (code === 'internalError') return statusPhrase(status);
  if (others.length === 0) return toPascalCase(code);
  if (isPublic(operation)) return `${statusPhrase(status)}Public`;
  if (isReadOnlyPost(operation) && status !== 401) return `${statusPhrase(status)}PostRead`;
  const isRead = operation.method === 'GET' && status !== 401;
  return `${statusPhrase(status)}${isRead ? 'Read' : ''}`;
}

function statusPhrase(status: number): string {
  return (STATUS_CODES[status] ?? '').replaceAll(' ', '');
}

function toPascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The response is not stored for retries. */
function isReadOnlyPost({ method, route }: Operation): boolean {
  const storesResponse = 'storedResponseLimitReached' in route.metadata.sharedRefusals;
  return method !== 'GET' && route.metadata.scope === 'read' && !storesResponse;
}
