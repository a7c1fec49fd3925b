import { codeSamples } from './code-samples.ts';
import type { ComponentCollector } from './components.ts';
import type { Example } from './examples.ts';
import type { JsonObject } from './json.ts';
import { response } from './responses.ts';
import { isOpen, type Operation } from './walk.ts';
import { examplesOf, securityOf, type Words } from './words.ts';

/** An operation as the document says it; what can be shared goes to the components. */
export function toOperationObject(
  operation: Operation,
  words: Words,
  components: ComponentCollector,
): JsonObject {
  const { area, id, route, parameters, request, responses } = operation;
  const sent = examplesOf(words, id).request;
  return {
    operationId: id,
    tags: [area],
    summary: route.summary,
    description: route.description,
    security: isOpen(operation) ? [] : securityOf(words),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => components.parameter(parameter)),
    }),
    ...(request !== undefined && {
      requestBody: {
        required: true,
        content: contentOf(operation, sent, components),
      },
    }),
    responses: Object.fromEntries(
      Object.keys(responses).map((status) => [
        status,
        response(operation, Number(status), words, components),
      ]),
    ),
    'x-codeSamples': codeSamples(operation, sent?.value),
  };
}

/** The body of a request: JSON with an example, or a file of one of several types. */
function contentOf(
  { request, route }: Operation,
  sent: Example | undefined,
  components: ComponentCollector,
): JsonObject {
  const schema = { $ref: `#/components/schemas/${request}` };
  const { upload } = route.metadata;
  if (upload) return Object.fromEntries(upload.map((type) => [type, { schema }]));
  const examples = components.refer(sent === undefined ? [] : [sent]);
  return { 'application/json': { schema, examples } };
}
