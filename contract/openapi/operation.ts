import { requiredScope } from '../scope.ts';
import { isPublic, type Operation } from './collect-operations.ts';
import type { ComponentCollector } from './components.ts';
import type { JsonObject } from './json.ts';
import { buildResponse } from './responses.ts';

export function toOperationObject(
  operation: Operation,
  components: ComponentCollector,
): JsonObject {
  const { area, id, route, parameters, request, responses } = operation;
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
    ...(isPublic(operation) ? { security: [] } : { 'x-scope': requiredScope(route) }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => components.addParameter(parameter)),
    }),
    ...(request !== undefined && {
      requestBody: { required: true, content: requestContent(operation, request, components) },
    }),
    responses: Object.fromEntries(
      Object.keys(responses).map((status) => [
        status,
        buildResponse(operation, Number(status), components),
      ]),
    ),
  };
}

/** An upload is a file, which has no useful example. */
function requestContent(
  { route }: Operation,
  request: string,
  components: ComponentCollector,
): JsonObject {
  const schema = { $ref: `#/components/schemas/${request}` };
  const { uploadTypes } = route.metadata;
  return uploadTypes
    ? Object.fromEntries(uploadTypes.map((type) => [type, { schema }]))
    : { 'application/json': { schema, example: components.exampleOf(request) } };
}
