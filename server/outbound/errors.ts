/** No connection could be made, so nothing was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly code: string;

  constructor(code: string) {
    super(`no connection could be made: ${code}`);
    this.code = code;
  }
}

/** No whole answer came. Names what happened by its code alone: other errors may hold the URL. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  /** Whether the request may have got there all the same. */
  readonly mayHaveArrived: boolean;

  constructor(code: string, mayHaveArrived: boolean) {
    super(`the call failed: ${code}`);
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** Returns what identifies a connection error without repeating anything that was sent. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
