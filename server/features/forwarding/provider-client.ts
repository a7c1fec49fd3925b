import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { createOutboundClient, type OutboundAnswer } from '#server/outbound/client.ts';
import { CallError } from '#server/outbound/errors.ts';
import {
  explain,
  MAX_WAIT_SECONDS,
  parseJson,
  readRetryAfter,
} from '#server/outbound/read-response.ts';
import { ProviderError } from './provider.ts';

const CALL_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A pause as short as this is waited for instead of trying again later. */
const SHORT_PAUSE_MS = 3_000;
/** Where no length of the pause is given. */
const DEFAULT_PAUSE_MS = 60_000;

/** Failures that have better words than their code. */
const WORDS: Record<string, string> = {
  TimeoutError: 'no answer in time',
  AbortError: 'broken off',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is too long',
};

export interface ProviderCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with the query. */
  path: string;
  body?: unknown;
  signal: AbortSignal;
}

export interface ProviderAnswer<T> {
  headers: IncomingHttpHeaders;
  body: T;
}

/** Calls a provider's JSON interface: each call within 10 seconds and within its published limits. */
export class ProviderClient {
  readonly #http = createOutboundClient({ maxAnswerBytes: MAX_ANSWER_BYTES });
  readonly #baseUrl: string;
  readonly #authorization: string;
  /** Never shown, even where a provider repeats them. */
  readonly #secrets: readonly string[];
  #pausedUntil = 0;

  constructor(options: { baseUrl: string; authorization: string; secret: string }) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#authorization = options.authorization;
    this.#secrets = [options.secret, options.authorization.replace(/^\w+ /, '')];
  }

  /** Returns an answer of success, as the schema understands it; anything else throws a `ProviderError`. */
  async call<T>(call: ProviderCall, schema: z.ZodType<T>): Promise<ProviderAnswer<T>> {
    const answer = await this.attempt(call, schema, []);
    if (answer instanceof ProviderError) throw answer;
    return answer;
  }

  /** As `call`, but returns refusals of the given statuses instead of throwing them. */
  async attempt<T>(
    call: ProviderCall,
    schema: z.ZodType<T>,
    refusals: readonly number[],
  ): Promise<ProviderAnswer<T> | ProviderError> {
    await this.#waitForLimit(call.signal);
    const answer = await this.#send(call);
    this.#learnLimit(answer);
    if (answer.status < 300) return understand(answer, schema);
    const refusal = this.#toRefusal(answer, call);
    if (refusals.includes(answer.status)) return refusal;
    throw refusal;
  }

  #toRefusal({ status, headers, text }: OutboundAnswer, { method }: ProviderCall): ProviderError {
    const words = explain(parseJson(text), this.#secrets);
    const seconds = readRetryAfter(headers);
    const retryAt = seconds === undefined ? undefined : new Date(Date.now() + seconds * 1_000);
    return new ProviderError(
      `HTTP_${status}`,
      `The provider answered ${status}${words ? `: ${words}` : '.'}`,
      {
        status,
        retryAt: retryAt ?? (status === 429 ? new Date(this.#pausedUntil) : undefined),
        // A gateway's error does not tell what the server behind it did.
        outcomeUnknown: status >= 500 && method !== undefined,
      },
    );
  }

  async #waitForLimit(signal: AbortSignal): Promise<void> {
    const pause = this.#pausedUntil - Date.now();
    if (pause > SHORT_PAUSE_MS)
      throw new ProviderError('PAUSED', 'The provider asked for a pause.', {
        retryAt: new Date(this.#pausedUntil),
      });
    if (pause > 0)
      await sleep(pause, undefined, { signal }).catch(() => {
        throw new ProviderError('AbortError', 'The call was broken off.');
      });
  }

  #learnLimit({ status, headers }: OutboundAnswer): void {
    const spent = headers['x-ratelimit-remaining'] === '0';
    if (status !== 429 && !spent) return;
    const seconds = readRetryAfter(headers);
    const until =
      seconds === undefined
        ? (resetAt(headers) ?? (status === 429 ? Date.now() + DEFAULT_PAUSE_MS : 0))
        : Date.now() + seconds * 1_000;
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  async #send({ method = 'GET', path, body, signal }: ProviderCall): Promise<OutboundAnswer> {
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
      throw new ProviderError(code, `The provider could not be asked: ${WORDS[code] ?? code}.`, {
        outcomeUnknown: method !== 'GET' && mayHaveArrived,
      });
    }
  }
}

/** The value of a Basic `Authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function understand<T>(
  { status, headers, text }: OutboundAnswer,
  schema: z.ZodType<T>,
): ProviderAnswer<T> {
  const body = parseJson(text);
  if (body === undefined && text !== '')
    throw new ProviderError('NOT_JSON', 'The provider answered something that is not JSON.', {
      outcomeUnknown: true,
    });
  const understood = schema.safeParse(body);
  if (!understood.success)
    throw new ProviderError('NOT_UNDERSTOOD', 'The answer of the provider is not understood.', {
      status,
      outcomeUnknown: true,
    });
  return { headers, body: understood.data };
}

/** Providers give the time of the reset in Unix seconds. */
function resetAt({ 'x-ratelimit-reset': value }: IncomingHttpHeaders): number | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, Date.now() + MAX_WAIT_SECONDS * 1_000);
}
