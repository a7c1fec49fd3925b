import type { Json } from '../json.ts';

/** One example: its name within the document, what it shows and the body. */
export interface Example {
  name: string;
  summary: string;
  value: Json;
}

/** What one operation is sent and answers; what it refuses stands in the contract. */
export interface OperationExamples {
  request?: Example;
  answer: Example;
}
