/**
 * Receives log messages; `console` works. It never gets the API key or a body. Header values are
 * redacted, except `accept`, `content-type`, `idempotency-key` and `user-agent`.
 */
export interface Logger {
  /** Called for every request, every response and every failed attempt. */
  debug?(message: string, details: Record<string, unknown>): void;
  /** Called for every retry, and if fields of a request had no effect, such as misspelled ones. */
  warn?(message: string, details: Record<string, unknown>): void;
}
