import type { AppRoute } from '@ts-rest/core';
import type { RouteMetadata } from '../contract/area.ts';
import { codeSamples } from './code-samples.ts';
import type { ComponentCollector } from './components.ts';
import { examples } from './examples/index.ts';
import { isObject, type JsonObject } from './json.ts';
import type { OperationId } from './operation-id.ts';
import { answer } from './responses.ts';

/** Completes what ts-rest says about an operation, and moves what can be shared to the components. */
export function completeOperation(
  generated: JsonObject,
  route: AppRoute,
  id: OperationId,
  components: ComponentCollector,
): JsonObject {
  const [area] = generated.tags as [string];
  const request = examples[id].request;
  const write = route.method !== 'GET';
  const metadata = route.metadata as RouteMetadata;
  const responses = Object.entries(generated.responses as JsonObject).map(([status, response]) => {
    const schema = mediaType(response as JsonObject).schema as JsonObject;
    return [status, answer({ id, write, metadata }, Number(status), schema, components)];
  });
  return {
    operationId: id,
    tags: [area],
    summary: route.summary!,
    description: route.description!,
    security: [{ ApiKey: [] }],
    ...parametersOf(generated, components),
    ...(isObject(generated.requestBody) && {
      requestBody: {
        description: components.description(mediaType(generated.requestBody).schema),
        required: true,
        content: {
          'application/json': {
            schema: mediaType(generated.requestBody).schema!,
            examples: components.refer([request!]),
          },
        },
      },
    }),
    responses: Object.fromEntries(responses),
    'x-codeSamples': codeSamples(area, id, route.method, route.path, request?.value),
  };
}

function mediaType(body: JsonObject): JsonObject {
  return (body.content as JsonObject)['application/json'] as JsonObject;
}

function parametersOf(generated: JsonObject, components: ComponentCollector): JsonObject {
  const parameters = (generated.parameters as JsonObject[]).map((parameter) =>
    components.parameter(parameter),
  );
  return parameters.length === 0 ? {} : { parameters };
}
