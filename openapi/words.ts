import type { OperationExamples } from './examples/example.ts';
import type { JsonObject } from './json.ts';

/** What the document of a contract says and no contract knows. */
export interface Words {
  info: JsonObject;
  servers: JsonObject[];
  /** The areas, in the order of the document. */
  tags: JsonObject[];
  /** What every operation is sent and answers, by its name. */
  examples: Readonly<Record<string, OperationExamples>>;
  /** Where answers lead, by the name of their operation. */
  links: Readonly<Record<string, JsonObject>>;
  /** How one is let in, by any of them. */
  securitySchemes: Readonly<Record<string, JsonObject>>;
}

/** That one is let in by any of the ways that there are. */
export function securityOf({ securitySchemes }: Words): JsonObject[] {
  return Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
}

/** The examples of an operation, which every operation has. */
export function examplesOf({ examples }: Words, operation: string): OperationExamples {
  const found = examples[operation];
  if (found === undefined) throw new Error(`${operation} has no examples.`);
  return found;
}
