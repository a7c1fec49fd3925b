const SAFE = ['accept', 'content-type', 'idempotency-key', 'user-agent'];

/** The headers of a request for a log: only values known to hold no secret. */
export function loggedHeaders(headers: Headers): Record<string, string> {
  const logged: Record<string, string> = {};
  headers.forEach((value, name) => {
    logged[name] = SAFE.includes(name) ? value : '[redacted]';
  });
  return logged;
}
