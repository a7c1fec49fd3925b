import { exampleOf } from '../example-of.ts';
import type { Json } from '../json.ts';
import type { Walk } from '../walk.ts';
import type { Example, OperationExamples } from './example.ts';

/** Examples of every operation, put together from the examples of fields. */
export function examplesOfFields({ operations, schemas }: Walk): Record<string, OperationExamples> {
  const example = (name: string): Example => ({
    name,
    summary: schemas[name]?.description ?? '',
    value: exampleOf({ $ref: name }, schemas) as Json,
  });
  return Object.fromEntries(
    operations.map(({ id, route, request, responses }) => [
      id,
      {
        // Nobody reads the bytes of a file.
        ...(request !== undefined && !route.metadata.upload && { request: example(request) }),
        answer: example(responses[200] ?? ''),
      },
    ]),
  );
}
