import type { APIError } from './errors.ts';
import type { Hooks, Logger, RequestEvent, ResponseEvent } from './events.ts';
import { tell } from './tell.ts';

const SAFE = new Set(['accept', 'content-type', 'idempotency-key', 'user-agent']);

/** Tells hooks and log that an attempt begins, and returns what tells them how it ends. */
export function observe(
  { onRequest, onResponse, onError, logger }: Hooks & { logger?: Logger | undefined },
  request: RequestEvent,
  headers: Record<string, string>,
) {
  const started = performance.now();
  function ended({ status, requestId }: Pick<ResponseEvent, 'status' | 'requestId'>) {
    const elapsed = Math.round(performance.now() - started);
    return { ...request, status, requestId, elapsed };
  }
  tell(() => logger?.debug?.('request', { ...request, headers: loggedHeaders(headers) }));
  tell(() => onRequest?.(request));
  return {
    succeeded(answer: Pick<ResponseEvent, 'status' | 'requestId'>): void {
      const event = ended(answer);
      tell(() => logger?.debug?.('answer', { ...event }));
      tell(() => onResponse?.(event));
    },
    failed(error: unknown, retryDelay: number | undefined): void {
      const event = { ...ended(error as APIError), retryDelay };
      const logged = { ...event, error: String(error) };
      tell(() => logger?.debug?.('failure', logged));
      if (retryDelay !== undefined) tell(() => logger?.warn?.('retry', logged));
      tell(() => onError?.({ ...event, error }));
    },
  };
}

// Only values known to hold no secret.
function loggedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SAFE.has(name) ? value : '[redacted]']),
  );
}
