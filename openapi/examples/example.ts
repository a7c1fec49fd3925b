import type { Json } from '../json.ts';

/** One example: its name within the document, what it shows and the body. */
export interface Example {
  name: string;
  summary: string;
  value: Json;
}

/** What one operation is sent and answers. */
export interface OperationExamples {
  request?: Example;
  answer: Example;
  /** By status; the statuses that every endpoint answers alike are not here. */
  errors: Readonly<Record<number, readonly Example[]>>;
}

/** An example of an error. */
export function error(name: string, summary: string, sentence: string): Example {
  return { name, summary, value: { error: sentence } };
}
