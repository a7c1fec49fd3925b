import type { OperationExamples } from './examples.ts';
import type { JsonObject } from './json.ts';

/** Texts of a document that are not in the contract. */
export interface DocumentTexts {
  info: JsonObject;
  servers: JsonObject[];
  /** Areas, in document order. */
  tags: JsonObject[];
  examples: Readonly<Record<string, OperationExamples>>;
  /** Authentication methods; any of them is enough. */
  securitySchemes: Readonly<Record<string, JsonObject>>;
}

export function securityOf({ securitySchemes }: DocumentTexts): JsonObject[] {
  return Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
}

export function examplesOf({ examples }: DocumentTexts, operation: string): OperationExamples {
  const operationExamples = examples[operation];
  if (operationExamples === undefined) throw new Error(`${operation} has no examples.`);
  return operationExamples;
}
