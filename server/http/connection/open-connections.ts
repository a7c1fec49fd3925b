import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { runningRequest } from './request-queue.ts';

const CHECK_MS = 1_000;
/** Checks after which the rest of a body is not waited for any more. */
const BODY_CHECKS = 4;
/** Time without progress after which a client that does not read its answer is dropped, in milliseconds. */
const UNREAD_MS = 2_000;

/**
 * Connections of the application's servers. A stop waits for answers: Node closes idle connections by
 * itself, but not those that never sent a request, sent a part of one, or do not read their answer.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Closes connections that nobody has to wait for, until all are closed. */
  close(): void {
    let checks = 0;
    const timer = setInterval(() => {
      checks += 1;
      for (const socket of this.#sockets) {
        const { request, response } = runningRequest(socket) ?? {};
        const isArriving = request?.complete === false;
        if (!request || (isArriving && checks >= BODY_CHECKS)) socket.destroy();
        else if (response?.writableEnded && socket.timeout !== UNREAD_MS)
          socket.setTimeout(UNREAD_MS);
      }
      if (this.#sockets.size === 0) clearInterval(timer);
    }, CHECK_MS).unref();
  }
}
