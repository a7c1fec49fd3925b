/** Nothing was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly code: string;

  constructor(code: string) {
    super(`no connection could be made: ${code}`);
    this.code = code;
  }
}

/**
 * There was no complete response. Contains only a code, because other errors may contain the URL.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  readonly mayHaveArrived: boolean;

  constructor(code: string, mayHaveArrived: boolean) {
    super(`the call failed: ${code}`);
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** Identifies a connection error without repeating anything that was sent. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
