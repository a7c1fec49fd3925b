const SAFE = ['accept', 'content-type', 'idempotency-key', 'user-agent'];

/** The headers of a request for a log: only values known to hold no secret. */
export function loggedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SAFE.includes(name) ? value : '[redacted]',
    ]),
  );
}
