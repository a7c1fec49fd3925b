import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalError } from '#server/refusal.ts';
import { addressOf } from '../access/address.ts';
import type { Instruments } from '../instruments.ts';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The id of a request: the one that it brought, if it may be one. Whoever asks again gets the same. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  return (headers['x-request-id'] = randomUUID());
}

/**
 * The log of requests: each has one line, whoever answers it, and also if nobody hears the answer.
 * Instruments, where there are any, count what has a line.
 */
export class RequestLog {
  readonly #logger: FastifyBaseLogger;
  readonly #hasAddresses: boolean;
  readonly #instruments: Instruments | undefined;
  readonly #cutShort = new WeakMap<IncomingMessage, RefusalError>();

  constructor(logger: FastifyBaseLogger, hasAddresses: boolean, instruments?: Instruments) {
    this.#logger = logger;
    this.#hasAddresses = hasAddresses;
    this.#instruments = instruments;
  }

  /**
   * Logs what the framework gets: when its response is sent. If its connection is gone before, the line
   * waits for the response, because only then is it known what was done.
   */
  follow(app: FastifyInstance): void {
    app.decorateRequest('isLogged', false);
    // Callbacks instead of promises: these run on every request.
    app.addHook('onRequest', (request, reply, done) => {
      // The address is no longer available when the connection is gone.
      if (this.#hasAddresses) addressOf(request);
      const { raw } = reply;
      raw.once('close', () => raw.headersSent && this.#write(request, reply, true));
      done();
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.raw.closed) this.#write(request, reply, true);
      done(null, payload);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#write(request, reply, false);
      done();
    });
  }

  /** Logs a refusal of bytes that are no request; returns the id for the response. */
  refused({ status, code }: RefusalError): string {
    const requestId = randomUUID();
    this.#logger.info({ requestId, status, reason: code }, 'request');
    this.#instruments?.countRequest({
      method: undefined,
      route: undefined,
      status,
      seconds: undefined,
      reason: code,
      gate: undefined,
    });
    return requestId;
  }

  /** Notes a refusal that is sent instead of the framework's response; returns the id for it. */
  cutShort(request: IncomingMessage, refusal: RefusalError): string {
    this.#cutShort.set(request, refusal);
    return requestIdOf(request);
  }

  #write(request: FastifyRequest, reply: FastifyReply, isGone: boolean): void {
    if (request.isLogged) return;
    request.isLogged = true;
    const cutShort = this.#cutShort.get(request.raw);
    const { method } = request;
    const path = request.routeOptions.url;
    const status = cutShort?.status ?? reply.statusCode;
    const { elapsedTime } = reply;
    const reason = cutShort?.code ?? request.refused?.reason;
    const gate = request.refused?.gate;
    request.log.info(
      {
        method,
        path,
        status,
        durationMs: Math.round(elapsedTime * 100) / 100,
        aborted: (isGone && !cutShort) || undefined,
        address: this.#hasAddresses ? addressOf(request) : undefined,
        accountId: request.caller?.accountId,
        keyId: request.caller?.via.keyId ?? request.refused?.keyId,
        sessionId:
          request.caller?.via.kind === 'session' ? request.caller.via.sessionId : undefined,
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
  }
}
