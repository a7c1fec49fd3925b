import { NameplateError } from './errors.ts';
import { VERSION } from './generated/version.ts';
import type { FetchInit, RequestOptions } from './options.ts';
import type { Settings } from './settings.ts';
import { toJson } from './to-json.ts';
import { uuid } from './uuid.ts';

/** The request of a call. Each attempt adds the API key and a signal. */
export type PreparedRequest = Omit<FetchInit, 'signal'>;

/** Builds the request of a call. Throws a NameplateError if a header or the body is invalid. */
export function prepareRequest(
  settings: Settings,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions,
): PreparedRequest {
  if (!path.startsWith('/')) throw new NameplateError('The path must begin with a slash.');
  return {
    ...settings.fetchOptions,
    ...options.fetchOptions,
    method,
    headers: explain('A header is invalid.', () => buildHeaders(settings, method, body, options)),
    ...(body === undefined
      ? {}
      : { body: explain('The body cannot be serialized as JSON.', () => serialize(body)) }),
    redirect: 'manual',
  };
}

/** The message does not quote the error, which can contain the value of a secret header. */
function explain<T>(message: string, build: () => T): T {
  try {
    return build();
  } catch (cause) {
    throw cause instanceof NameplateError ? cause : new NameplateError(message, { cause });
  }
}

function buildHeaders(
  settings: Settings,
  method: string,
  body: unknown,
  options: RequestOptions,
): Record<string, string> {
  const headers = new Headers({ accept: 'application/json' });
  // A browser would block the request: the server's CORS policy does not allow this header.
  if (!settings.isInBrowser) headers.set('user-agent', `nameplate-client/${VERSION}`);
  for (const [name, value] of [
    ...Object.entries(settings.defaultHeaders ?? {}),
    ...Object.entries(options.headers ?? {}),
  ])
    if (value == null) headers.delete(name);
    else headers.set(name, value);
  if (body !== undefined)
    headers.set('content-type', isBinary(body) ? 'application/octet-stream' : 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  else if (method !== 'GET' && !headers.has('idempotency-key'))
    headers.set('idempotency-key', uuid());
  return Object.fromEntries(headers);
}

/** Serializes a body. A Uint8Array is copied, because it may cover only a part of its buffer. */
function serialize(body: unknown): string | ArrayBuffer | Blob {
  if (!isBinary(body)) return toJson(body);
  return body instanceof Uint8Array ? new Uint8Array(body).buffer : body;
}

function isBinary(body: unknown): body is ArrayBuffer | Uint8Array | Blob {
  return body instanceof ArrayBuffer || body instanceof Uint8Array || body instanceof Blob;
}
