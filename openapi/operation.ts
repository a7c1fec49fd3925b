import { codeSamples } from './code-samples.ts';
import type { ComponentCollector } from './components.ts';
import { examplesOf } from './examples/index.ts';
import type { JsonObject } from './json.ts';
import type { Schemas } from './json-schema.ts';
import { response } from './responses.ts';
import type { Operation } from './walk.ts';

/** An operation as the document says it; what can be shared goes to the components. */
export function toOperationObject(
  operation: Operation,
  schemas: Schemas,
  components: ComponentCollector,
): JsonObject {
  const { area, id, route, parameters, request, responses } = operation;
  const sent = examplesOf(id).request;
  return {
    operationId: id,
    tags: [area],
    summary: route.summary,
    description: route.description,
    security: [{ ApiKey: [] }],
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => components.parameter(parameter)),
    }),
    ...(request !== undefined && {
      requestBody: {
        description: schemas[request]?.description ?? '',
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${request}` },
            examples: components.refer(sent === undefined ? [] : [sent]),
          },
        },
      },
    }),
    responses: Object.fromEntries(
      Object.keys(responses).map((status) => [
        status,
        response(operation, Number(status), schemas, components),
      ]),
    ),
    'x-codeSamples': codeSamples(operation, sent?.value),
  };
}
