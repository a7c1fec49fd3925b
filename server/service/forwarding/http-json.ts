import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider.ts';

const CALL_TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 4 * 1024 * 1024;
const LONGEST_PAUSE_MS = 86_400_000;
/** A pause as short as this is waited for instead of trying again later. */
const SHORT_PAUSE_MS = 3_000;
/** Where no length of the pause is given. */
const DEFAULT_PAUSE_MS = 60_000;

/** Failures before the request left. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export interface JsonCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with the query. */
  path: string;
  body?: unknown;
  signal: AbortSignal;
}

export interface JsonAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** Calls a provider's JSON interface: each call within 10 seconds, without redirects, within its published limits. */
export class HttpJson {
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

  /** Returns the answer if its status is below 300 or among `accept`; anything else throws a `ProviderError`. */
  async call(call: JsonCall, accept: readonly number[] = []): Promise<JsonAnswer> {
    await this.#waitForLimit(call.signal);
    const answer = await this.#send(call);
    this.#learnLimit(answer);
    if (answer.status < 300 || accept.includes(answer.status)) return answer;
    throw this.refusal(answer, call.method);
  }

  /** The error that an answer stands for. */
  refusal({ status, headers, body }: JsonAnswer, method?: JsonCall['method']): ProviderError {
    return new ProviderError(this.#explain(status, body), {
      status,
      retryAt: retryAt(headers) ?? (status === 429 ? new Date(this.#pausedUntil) : undefined),
      // A gateway's error does not tell what the server behind it did.
      outcomeUnknown: status >= 500 && method !== undefined,
    });
  }

  async #waitForLimit(signal: AbortSignal): Promise<void> {
    const pause = this.#pausedUntil - Date.now();
    if (pause > SHORT_PAUSE_MS)
      throw new ProviderError('The provider asked for a pause.', {
        retryAt: new Date(this.#pausedUntil),
      });
    if (pause > 0)
      await sleep(pause, undefined, { signal }).catch(() => {
        throw new ProviderError('The call was broken off.');
      });
  }

  #learnLimit({ status, headers }: JsonAnswer): void {
    const spent = headers.get('x-ratelimit-remaining') === '0';
    if (status !== 429 && !spent) return;
    const until =
      retryAt(headers)?.getTime() ??
      resetAt(headers) ??
      (status === 429 ? Date.now() + DEFAULT_PAUSE_MS : 0);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  async #send({ method = 'GET', path, body, signal }: JsonCall): Promise<JsonAnswer> {
    try {
      const response = await fetch(this.#baseUrl + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
        headers: {
          accept: 'application/json',
          authorization: this.#authorization,
          'user-agent': 'nameplate',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { status, headers } = response;
      return { status, headers, body: parse(await readBounded(response), status) };
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw new ProviderError(`The provider could not be asked: ${reason(error)}.`, {
        outcomeUnknown: method !== 'GET' && !NOT_SENT.has(reason(error)),
      });
    }
  }

  #explain(status: number, body: unknown): string {
    const message = this.#secrets
      .reduce((text, secret) => text.replaceAll(secret, '…'), findMessage(body) ?? '')
      .slice(0, 300);
    return `The provider answered ${status}${message ? `: ${message}` : '.'}`;
  }
}

/** The value of a Basic `Authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES)
      throw new ProviderError('The provider sent too long an answer.', { outcomeUnknown: true });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string, status: number): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // An error page of a gateway; its status says enough.
    if (status >= 300) return undefined;
    throw new ProviderError('The provider answered something that is not JSON.', {
      outcomeUnknown: true,
    });
  }
}

/** Providers say it under `error`, `message`, or `errors` as texts, lists or objects. */
function findMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return undefined;
  if (Array.isArray(body)) return body.map(findMessage).find((text) => text);
  const { message, error, errors } = body as Record<string, unknown>;
  const texts = typeof errors === 'object' && errors !== null ? Object.values(errors) : errors;
  return [message, error, texts].map(findMessage).find((text) => text);
}

function retryAt(headers: Headers): Date | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const at = /^\d+$/.test(value) ? Date.now() + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(at) ? undefined : new Date(bounded(at));
}

/** Providers give the time of the reset in Unix seconds. */
function resetAt(headers: Headers): number | undefined {
  const value = headers.get('x-ratelimit-reset');
  return value !== null && /^\d+$/.test(value) ? bounded(Number(value) * 1_000) : undefined;
}

function bounded(at: number): number {
  return Math.min(at, Date.now() + LONGEST_PAUSE_MS);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.name === 'AbortError') return 'broken off';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
