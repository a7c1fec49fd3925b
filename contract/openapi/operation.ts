import { requiredScope } from '../scope.ts';
import { codeSamples } from './code-samples.ts';
import { isPublic, type Operation } from './collect-operations.ts';
import type { ComponentCollector } from './components.ts';
import type { Example, Examples } from './examples.ts';
import { security } from './info.ts';
import type { JsonObject } from './json.ts';
import { buildResponse } from './responses.ts';

export function toOperationObject(
  operation: Operation,
  examples: Examples,
  components: ComponentCollector,
): JsonObject {
  const { area, id, route, parameters, request, responses } = operation;
  const requestExample = examples[id]?.request;
  const { deprecation } = route.metadata;
  return {
    operationId: id,
    tags: [area],
    summary: route.summary,
    description: [route.description, deprecation && `Deprecated: ${deprecation}`]
      .filter(Boolean)
      .join(' '),
    ...(deprecation && { deprecated: true }),
    // Not as a role in `security`, which OpenAPI 3.1 allows: Spectral takes it for a mistake.
    ...(isPublic(operation) ? { security: [] } : { security, 'x-scope': requiredScope(route) }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => components.addParameter(parameter)),
    }),
    ...(request !== undefined && {
      requestBody: { required: true, content: contentOf(operation, requestExample, components) },
    }),
    responses: Object.fromEntries(
      Object.keys(responses).map((status) => [
        status,
        buildResponse(operation, Number(status), examples, components),
      ]),
    ),
    'x-codeSamples': codeSamples(operation, requestExample?.value),
  };
}

function contentOf(
  { request, route }: Operation,
  requestExample: Example | undefined,
  components: ComponentCollector,
): JsonObject {
  const schema = { $ref: `#/components/schemas/${request}` };
  const { uploadTypes } = route.metadata;
  if (uploadTypes) return Object.fromEntries(uploadTypes.map((type) => [type, { schema }]));
  const examples = components.addExamples(requestExample === undefined ? [] : [requestExample]);
  return { 'application/json': { schema, examples } };
}
