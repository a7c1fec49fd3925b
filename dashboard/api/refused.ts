/** What a call came to that did not succeed, with a sentence for people: the server's own, if it answered. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** 0 if there was no answer. */
  readonly status: number;
  /** The stable name of the refusal, from the header `x-error-code`. */
  readonly code: string | undefined;

  constructor(status: number, sentence: string, code?: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

/** What is said of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  // A defect of this page: whoever looks for it finds it in the console.
  console.error(error);
  return 'Something went wrong on this page; reload it and try again.';
}
