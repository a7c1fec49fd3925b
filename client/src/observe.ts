import type { APIResponse } from './api-promise.ts';
import { callSafely } from './call-safely.ts';
import type { APIError } from './errors.ts';
import type { Logger } from './logger.ts';

/** Other headers are redacted, because they may contain secrets. */
const SAFE_HEADERS = new Set(['accept', 'content-type', 'idempotency-key', 'user-agent']);

/** Logs the start of an attempt. Returns functions that log its end. */
export function observe(
  logger: Logger | undefined,
  request: { method: string; path: string; attempt: number },
  headers: Record<string, string>,
) {
  const startedAt = performance.now();
  function createEndEvent({
    status,
    requestId,
  }: Pick<APIError, 'requestId'> & { status?: number }) {
    const elapsed = Math.round(performance.now() - startedAt);
    return { ...request, status, requestId, elapsed };
  }
  function warnOfIgnoredFields(response: Partial<Pick<APIError, 'headers'>>, event: object): void {
    const ignored = response.headers?.get('x-ignored-fields')?.split(',');
    if (ignored)
      callSafely(() => {
        const fields = ignored.map(decodeURIComponent);
        (logger ?? console).warn?.('ignored fields', { ...event, fields });
      });
  }
  callSafely(() => logger?.debug?.('request', { ...request, headers: redactHeaders(headers) }));
  return {
    succeeded(response: Pick<APIResponse<unknown>, 'status' | 'requestId' | 'headers'>): void {
      const event = createEndEvent(response);
      callSafely(() => logger?.debug?.('response', { ...event }));
      warnOfIgnoredFields(response, event);
    },
    failed(error: unknown, retryDelay: number | undefined): void {
      const endEvent = createEndEvent(error as APIError);
      const event = { ...endEvent, retryDelay };
      const logEntry = { ...event, error: String(error) };
      callSafely(() => logger?.debug?.('failure', logEntry));
      if (retryDelay !== undefined) callSafely(() => logger?.warn?.('retry', logEntry));
      warnOfIgnoredFields(error as Partial<APIError>, endEvent);
    },
  };
}

function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SAFE_HEADERS.has(name) ? value : '[redacted]',
    ]),
  );
}
