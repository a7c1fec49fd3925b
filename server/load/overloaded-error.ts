/** Every gate that can refuse a request for lack of room; docs/load.md describes them. */
export const GATES = [
  'event-loop',
  'event-loop-anonymous',
  'bytes',
  'upload-bytes',
  'writes',
  'reads',
  'metric-reads',
  'names',
  'sites',
  'pages',
  'keys',
  'unknown-keys',
  'unknown-sessions',
  'logins',
  'login-mails',
  'sign-ons',
  'confirmations',
  'reports',
  'pictures',
  'page-imports',
  'uploads',
  'chat-relay',
  'database',
] as const;

export type Gate = (typeof GATES)[number];

/** There is no room for a request; the gate that refused it is for the log and the metrics. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  readonly gate: Gate;

  constructor(gate: Gate, cause?: unknown) {
    super(`overloaded: ${gate}`, { cause });
    this.gate = gate;
  }
}
