interface Documented {
  responses: Record<number, unknown>;
  metadata: { unauthorized: string; failure: string };
}

const MEANINGS: Record<number, [error: string, meaning: string]> = {
  400: ['BadRequestError', 'input is missing or invalid; the message names it.'],
  403: ['PermissionDeniedError', 'the project is not yours, whether it exists or not.'],
  404: ['NotFoundError', 'the account has no profile.'],
  409: ['ConflictError', 'the name is reserved or taken.'],
  413: ['PayloadTooLargeError', 'the body is larger than 1 MiB.'],
  415: ['UnsupportedMediaTypeError', 'the body is not declared as JSON.'],
  429: ['RateLimitError', 'too many requests, also after the retries.'],
  503: ['InternalServerError', 'the server is overloaded, also after the retries.'],
};

/** One `@throws` line for every status that an operation can fail with, and for no answer at all. */
export function statusDocs({ responses, metadata }: Documented): string[] {
  const statuses = Object.keys(responses).map(Number);
  return [
    ...statuses.filter((status) => status >= 400).map((status) => describe(status, metadata)),
    '@throws {@link APIConnectionError} no answer: the connection failed or took too long.',
    '@throws {@link APIAbortError} the signal of this call was aborted.',
  ];
}

function describe(status: number, texts: Documented['metadata']): string {
  if (status === 401) return `@throws {@link AuthenticationError} 401: "${texts.unauthorized}"`;
  if (status === 500) return `@throws {@link InternalServerError} 500: "${texts.failure}"`;
  const known = MEANINGS[status];
  if (known === undefined) throw new Error(`Status ${status} has no error class to document.`);
  return `@throws {@link ${known[0]}} ${status}: ${known[1]}`;
}
