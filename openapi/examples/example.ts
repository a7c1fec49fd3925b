import type { Json } from '../json.ts';

/** One example: its name within the document, what it shows and the body. */
export interface Example {
  name: string;
  summary: string;
  value: Json;
}

/**
 * Examples of the request and the answers of one operation; refusals are in the contract.
 */
export interface OperationExamples {
  request?: Example;
  answer: Example;
}
