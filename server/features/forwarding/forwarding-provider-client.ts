import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { createOutboundClient, type OutboundResponse } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  extractErrorMessage,
  MAX_WAIT_SECONDS,
  parseJson,
  readRetryAfter,
} from '#server/platform/outbound/read-response.ts';
import { ForwardingProviderError, type ProviderReason } from './forwarding-provider.ts';

const CALL_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Calls wait for pauses up to this length, and throw during longer ones. */
const MAX_PAUSE_WAIT_MS = 3_000;
/** Applies to 429 responses without a retry time. */
const DEFAULT_PAUSE_MS = 60_000;

const REASONS_BY_CODE: Record<string, ProviderReason> = {
  TimeoutError: { code: 'timedOut' },
  AbortError: { code: 'requestCanceled' },
  UND_ERR_RES_EXCEEDED_MAX_SIZE: { code: 'tooLarge' },
};

export interface ProviderRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  signal: AbortSignal;
}

export interface ProviderResponse<T> {
  headers: IncomingHttpHeaders;
  body: T;
}

export class ForwardingProviderClient {
  readonly #http = createOutboundClient({ maxResponseBytes: MAX_RESPONSE_BYTES });
  readonly #baseUrl: string;
  readonly #authorization: string;
  /** Redacted in error messages, because a provider may repeat secrets in its responses. */
  readonly #secrets: readonly string[];
  #pausedUntil = 0;

  constructor(options: { baseUrl: string; authorization: string; secret: string }) {
    this.#baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#authorization = options.authorization;
    this.#secrets = [options.secret, options.authorization.replace(/^\w+ /, '')];
  }

  async call<T>(request: ProviderRequest, schema: z.ZodType<T>): Promise<ProviderResponse<T>> {
    const response = await this.callAllowingStatuses(request, schema, []);
    if (response instanceof ForwardingProviderError) throw response;
    return response;
  }

  /** Returns an error with one of the expected statuses instead of throwing it. */
  async callAllowingStatuses<T>(
    request: ProviderRequest,
    schema: z.ZodType<T>,
    expectedStatuses: readonly number[],
  ): Promise<ProviderResponse<T> | ForwardingProviderError> {
    await this.#waitForPause(request.signal);
    const response = await this.#send(request);
    this.#updatePause(response);
    if (response.status < 300) return parseResponse(response, schema);
    const error = this.#toError(response, request);
    if (expectedStatuses.includes(response.status)) return error;
    throw error;
  }

  #toError(
    { status, headers, text }: OutboundResponse,
    { method }: ProviderRequest,
  ): ForwardingProviderError {
    const explanation = extractErrorMessage(parseJson(text), this.#secrets);
    const seconds = readRetryAfter(headers);
    const retryAt = seconds === undefined ? undefined : new Date(Date.now() + seconds * 1_000);
    return new ForwardingProviderError(
      `HTTP_${status}`,
      { code: explanation ? 'responded' : 'respondedOnly', values: { status, explanation } },
      {
        status,
        retryAt: retryAt ?? (status === 429 ? new Date(this.#pausedUntil) : undefined),
        // If the status is 5xx, the provider may still have applied the change.
        outcomeUnknown: status >= 500 && method !== undefined,
      },
    );
  }

  async #waitForPause(signal: AbortSignal): Promise<void> {
    const pauseMs = this.#pausedUntil - Date.now();
    if (pauseMs > MAX_PAUSE_WAIT_MS)
      throw new ForwardingProviderError(
        'PAUSED',
        { code: 'paused' },
        { retryAt: new Date(this.#pausedUntil) },
      );
    if (pauseMs > 0)
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw new ForwardingProviderError('AbortError', { code: 'canceled' });
      });
  }

  #updatePause({ status, headers }: OutboundResponse): void {
    const isLimitReached = headers['x-ratelimit-remaining'] === '0';
    if (status !== 429 && !isLimitReached) return;
    const seconds = readRetryAfter(headers);
    const until =
      seconds === undefined
        ? (parseResetTime(headers) ?? (status === 429 ? Date.now() + DEFAULT_PAUSE_MS : 0))
        : Date.now() + seconds * 1_000;
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  async #send({ method = 'GET', path, body, signal }: ProviderRequest): Promise<OutboundResponse> {
    try {
      return await this.#http.call({
        method,
        url: this.#baseUrl + path,
        headers: { authorization: this.#authorization, 'user-agent': 'nameplate' },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { code, mayHaveArrived } = error;
      throw new ForwardingProviderError(
        code,
        REASONS_BY_CODE[code] ?? { code: 'failed', values: { code } },
        { outcomeUnknown: method !== 'GET' && mayHaveArrived },
      );
    }
  }
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function parseResponse<T>(
  { status, headers, text }: OutboundResponse,
  schema: z.ZodType<T>,
): ProviderResponse<T> {
  const body = parseJson(text);
  if (body === undefined && text !== '')
    throw new ForwardingProviderError('NOT_JSON', { code: 'notJson' }, { outcomeUnknown: true });
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new ForwardingProviderError(
      'UNEXPECTED',
      { code: 'unexpected' },
      { status, outcomeUnknown: true },
    );
  return { headers, body: parsed.data };
}

/** Returns Unix milliseconds. The header contains Unix seconds. */
function parseResetTime({ 'x-ratelimit-reset': value }: IncomingHttpHeaders): number | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, Date.now() + MAX_WAIT_SECONDS * 1_000);
}
