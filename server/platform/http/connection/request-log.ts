import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '#contract/define-endpoints.ts';
import type { RefusalError } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { anonymizeAddress, clientAddress } from '../access/client-address.ts';
import type { Instruments } from '../instruments.ts';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;

export function requestIdOf({ headers }: IncomingMessage): string {
  const clientId = headers['x-request-id'];
  if (typeof clientId === 'string' && REQUEST_ID.test(clientId)) return clientId;
  return (headers['x-request-id'] = randomUUID());
}

export interface FinishedRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  route: Route | undefined;
  status: number;
  durationMs: number;
  /** Set if the response is not the one of `reply`. */
  earlyRefusal: RefusalError | undefined;
}

/** Logs one line per request, even if the client disconnected, and counts it in the metrics. */
export class RequestLog {
  readonly #logger: FastifyBaseLogger;
  readonly #config: Pick<Config, 'LOG_REQUESTS' | 'LOG_ADDRESSES'>;
  readonly #instruments: Instruments | undefined;
  readonly #listeners: readonly ((finished: FinishedRequest) => void)[];
  readonly #earlyRefusals = new WeakMap<IncomingMessage, RefusalError>();

  constructor({
    log,
    config,
    instruments,
    requestListeners,
  }: {
    log: FastifyBaseLogger;
    config: Pick<Config, 'LOG_REQUESTS' | 'LOG_ADDRESSES'>;
    instruments: Instruments | undefined;
    requestListeners: readonly ((finished: FinishedRequest) => void)[];
  }) {
    this.#logger = log;
    this.#config = config;
    this.#instruments = instruments;
    this.#listeners = requestListeners;
  }

  /**
   * Logs a request when its response is sent. If the client disconnected earlier, waits for the
   * response, because the outcome is not known until then.
   */
  attach(app: FastifyInstance): void {
    app.decorateRequest('isLogged', false);
    app.decorateRequest('errorBody', undefined);
    // These hooks run on every request, so they use callbacks, which are faster than promises.
    app.addHook('onRequest', (request, reply, done) => {
      // Makes Node cache the address, which is not available after the connection is closed.
      if (this.#config.LOG_ADDRESSES !== 'none') clientAddress(request);
      const { raw } = reply;
      raw.once('close', () => raw.headersSent && this.#write(request, reply, true));
      done();
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode >= 400 && typeof payload === 'string') request.errorBody = payload;
      if (reply.raw.closed) this.#write(request, reply, true);
      done(null, payload);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#write(request, reply, false);
      done();
    });
  }

  logInvalidBytes({ status, code }: RefusalError): string {
    const requestId = randomUUID();
    if (this.#isLogged(status)) this.#logger.info({ requestId, status, reason: code }, 'request');
    this.#instruments?.countRequest({ status, reason: code });
    return requestId;
  }

  /** Records a refusal that is sent instead of Fastify's response. Returns the request id. */
  recordEarlyRefusal(request: IncomingMessage, refusal: RefusalError): string {
    this.#earlyRefusals.set(request, refusal);
    return requestIdOf(request);
  }

  #write(request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void {
    if (request.isLogged) return;
    request.isLogged = true;
    const earlyRefusal = this.#earlyRefusals.get(request.raw);
    const { method } = request;
    const { url: path, config } = request.routeOptions;
    const status = earlyRefusal?.status ?? reply.statusCode;
    const { elapsedTime } = reply;
    const reason = earlyRefusal?.code ?? request.refused?.reason;
    const gate = request.refused?.gate;
    if (this.#isLogged(status))
      request.log.info(
        {
          method,
          path,
          status,
          durationMs: Math.round(elapsedTime * 100) / 100,
          aborted: (isAborted && !earlyRefusal) || undefined,
          address: this.#addressOf(request),
          accountId: request.caller?.accountId,
          keyId: request.caller?.credential.keyId ?? request.refused?.keyId,
          sessionId:
            request.caller?.credential.kind === 'session'
              ? request.caller.credential.sessionId
              : undefined,
          reason,
          gate,
        },
        'request',
      );
    this.#instruments?.countRequest({
      method,
      route: path,
      status,
      seconds: elapsedTime / 1_000,
      reason,
      gate,
    });
    const route = config.tsRestRoute;
    const finished = { request, reply, route, status, durationMs: elapsedTime, earlyRefusal };
    for (const listener of this.#listeners) listener(finished);
  }

  #isLogged(status: number): boolean {
    const { LOG_REQUESTS: requests } = this.#config;
    return requests === 'all' || (requests === 'failed' && status >= 400);
  }

  #addressOf(request: FastifyRequest): string | undefined {
    const { LOG_ADDRESSES: addresses } = this.#config;
    const address = addresses === 'none' ? undefined : clientAddress(request);
    return address !== undefined && addresses === 'network' ? anonymizeAddress(address) : address;
  }
}
