import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuserOf } from '../service/refusal.ts';
import { refuseOnSocket } from './last-words.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';
import type { RequestLog } from './request-log.ts';
import { turnOf } from './turns.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** What a stop waits for: a request that is on its way but was not read yet. */
const FIRST_MS = 250;
/** The rest of a request that has begun to come. */
const REST_MS = 1_000;
/** The rest of a body: what is then done with it has the time that is left of a stop. */
const BODY_MS = 4_000;
/** And for a client to read on, if all that is left to do is to read. */
const UNREAD_MS = 2_000;

/** The open connections of an application's servers. */
export class Connections {
  readonly #log: RequestLog;
  readonly #open = new Set<Socket>();

  constructor(log: RequestLog) {
    this.#log = log;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Ends those on which nobody asks for anything; Node itself ends only those that had an answer. */
  end(): void {
    this.#limitReading();
    setTimeout(() => this.#destroy((socket) => socket.bytesRead === 0), FIRST_MS).unref();
    setTimeout(() => {
      this.#destroy((socket) => !turnOf(socket));
      // Those whose requests have come since.
      this.#limitReading();
    }, REST_MS).unref();
    setTimeout(() => this.#refuseHalfSent(), BODY_MS).unref();
  }

  #limitReading(): void {
    for (const socket of this.#open) {
      const response = turnOf(socket)?.response;
      if (response === undefined) continue;
      const limit = () => socket.setTimeout(UNREAD_MS);
      if (response.writableEnded) limit();
      else response.once('prefinish', limit);
    }
  }

  #refuseHalfSent(): void {
    for (const socket of this.#open) {
      const { request, response } = turnOf(socket) ?? {};
      if (!request || !response || request.complete) continue;
      const refusal = refuse('requestTimeout');
      if (response.headersSent) socket.destroy();
      else refuseOnSocket(socket, refusal, this.#log.cutShort(request, response, refusal));
    }
  }

  #destroy(which: (socket: Socket) => boolean): void {
    for (const socket of this.#open) if (which(socket)) socket.destroy();
  }
}
