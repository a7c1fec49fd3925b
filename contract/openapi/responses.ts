import { STATUS_CODES } from 'node:http';
import { inputOf, type RouteMetadata } from '#contract/define-endpoints.ts';
import { errorCodeOf } from '#contract/fields.ts';
import { formatMessage, type Refusal } from '#contract/refusal.ts';
import { withFieldName } from '#contract/schema-refusals.ts';
import { isPublic, type Operation } from './collect-operations.ts';
import type { ComponentCollector } from './components.ts';
import type { Example, Examples } from './examples.ts';
import { headersOf } from './headers.ts';
import type { Json, JsonObject } from './json.ts';

export function buildResponse(
  operation: Operation,
  status: number,
  examples: Examples,
  components: ComponentCollector,
): JsonObject {
  const { id, route, responses } = operation;
  const schema = responses[status] ?? '';
  const refusals = refusalsOf(route.metadata, status);
  const descriptions = refusals.map(([code, { when }]) =>
    refusals.length > 1 ? `- \`${code}\`: ${when}` : when,
  );
  const codesOfFields = new Set(Object.values(inputOf(route).fields).map(errorCodeOf));
  const errorExamples = refusals.map(([code, refusal]) => {
    const { message, field } = refusal;
    return refusalExample(id, code, {
      ...refusal,
      message:
        codesOfFields.has(code) && !/\{/.test(message) ? withFieldName(message, field) : message,
    });
  });
  const isSuccess = status === 200;
  const reference = { $ref: `#/components/schemas/${schema}` };
  const response = {
    description: isSuccess ? components.description(schema) : descriptions.join('\n'),
    headers: headersOf(status, isReplayable(operation, status), route.metadata, refusals),
    content:
      isSuccess && route.metadata.fileTypes !== undefined
        ? Object.fromEntries(
            route.metadata.fileTypes.map((type) => [
              type,
              fileContent(
                route.metadata.fileExamples?.[type],
                examples[id]!.response,
                components,
                reference,
              ),
            ]),
          )
        : {
            'application/json': {
              schema: reference,
              examples: components.addExamples(
                isSuccess ? [examples[id]!.response] : errorExamples,
              ),
            },
          },
  };
  // Some generators look for the body of a successful response only inline.
  return isSuccess ? response : components.addResponse(componentName(operation, status), response);
}

function fileContent(
  file: { value: unknown; schema?: object } | undefined,
  example: Example,
  components: ComponentCollector,
  reference: JsonObject,
): JsonObject {
  if (!file) return { schema: reference };
  const examples = components.addExamples([{ ...example, value: file.value as Json }]);
  return { schema: (file.schema as JsonObject | undefined) ?? reference, examples };
}

/** Whether the server replays this response for an Idempotency-Key. It does not store temporary errors (429, 5xx) or errors raised before the handler runs. */
function isReplayable({ method, route }: Operation, status: number): boolean {
  if (method === 'GET' || status === 429 || status >= 500) return false;
  const ownRefusals = Object.values(route.metadata.refusals);
  return (
    status === 200 || status === 400 || ownRefusals.some((refusal) => refusal.status === status)
  );
}

/** The operation's own refusals come first. */
function refusalsOf(
  { refusals, sharedRefusals }: RouteMetadata,
  status: number,
): [string, Refusal][] {
  return Object.entries({ ...refusals, ...sharedRefusals }).filter(
    ([, refusal]) => refusal.status === status,
  );
}

/** Many operations share the same response. */
function componentName(operation: Operation, status: number): string {
  const { id, method, route } = operation;
  const statusPhrase = (STATUS_CODES[status] ?? '').replaceAll(' ', '');
  const { refusals, sharedRefusals } = route.metadata;
  const ownRefusals = Object.values({ ...refusals, internalError: sharedRefusals.internalError });
  if (ownRefusals.some((refusal) => refusal.status === status))
    return `${toPascalCase(id)}${statusPhrase}`;
  const [firstRefusal, ...otherRefusals] = refusalsOf(route.metadata, status);
  if (firstRefusal !== undefined && otherRefusals.length === 0)
    return toPascalCase(firstRefusal[0]);
  if (isPublic(operation)) return `${statusPhrase}Public`;
  if (isReadOnlyPost(operation)) return `${statusPhrase}PostRead`;
  return method === 'GET' ? `${statusPhrase}Read` : statusPhrase;
}

/** Each operation has its own message for internal errors, so each needs its own example. */
function refusalExample(id: string, code: string, { when, message, example }: Refusal): Example {
  return {
    name: code === 'internalError' ? `${toPascalCase(id)}Failed` : toPascalCase(code),
    summary: when,
    value: { error: formatMessage(message, example) },
  };
}

function toPascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The response is not stored for retries. */
function isReadOnlyPost({ method, route }: Operation): boolean {
  const storesResponse = 'storedResponseLimitReached' in route.metadata.sharedRefusals;
  return method !== 'GET' && route.metadata.scope === 'read' && !storesResponse;
}
