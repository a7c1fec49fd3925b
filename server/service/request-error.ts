/** What a request is refused with: thrown anywhere, answered as `{ error: message }`. */
export class RequestError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Whether the effect may have happened all the same, so that a repeat could do it twice. */
  readonly outcomeUnknown: boolean;

  constructor(
    status: number,
    message: string,
    options: { headers?: Record<string, string>; outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}
