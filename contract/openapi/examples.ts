import type { CollectedContract } from './collect-operations.ts';
import { exampleOf } from './example-of.ts';
import type { Json } from './json.ts';

export interface Example {
  /** Unique in the document. */
  name: string;
  summary: string;
  value: Json;
}

/** Examples of refusals are in the contract. */
interface OperationExamples {
  request?: Example;
  response: Example;
}

/** By the id of the operation, from the examples of the fields. */
export type Examples = Readonly<Record<string, OperationExamples>>;

export function generateExamples({ operations, schemas }: CollectedContract): Examples {
  const example = (name: string): Example => ({
    name,
    summary: schemas[name]?.description ?? '',
    value: exampleOf({ $ref: name }, schemas) as Json,
  });
  return Object.fromEntries(
    operations.map(({ id, route, request, responses }) => [
      id,
      {
        // An upload is a file, which has no useful example.
        ...(request !== undefined && !route.metadata.uploadTypes && { request: example(request) }),
        response: example(responses[200] ?? ''),
      },
    ]),
  );
}
