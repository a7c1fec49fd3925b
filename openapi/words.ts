import type { OperationExamples } from './examples.ts';
import type { JsonObject } from './json.ts';

/** Words of a document that no contract has. */
export interface Words {
  info: JsonObject;
  servers: JsonObject[];
  /** The areas, in the order of the document. */
  tags: JsonObject[];
  /** Examples of every operation, by its name. */
  examples: Readonly<Record<string, OperationExamples>>;
  /** Where answers lead, by the name of their operation. */
  links: Readonly<Record<string, JsonObject>>;
  /** How one is let in, by any of them. */
  securitySchemes: Readonly<Record<string, JsonObject>>;
}

/** Security of an operation that accepts any of the ways to log in. */
export function securityOf({ securitySchemes }: Words): JsonObject[] {
  return Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
}

/** The examples of an operation, which every operation has. */
export function examplesOf({ examples }: Words, operation: string): OperationExamples {
  const found = examples[operation];
  if (found === undefined) throw new Error(`${operation} has no examples.`);
  return found;
}
