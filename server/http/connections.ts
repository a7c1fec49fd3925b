import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnderWay } from './turns.ts';

/** What a stop waits for: the rest of a request that has begun to come. */
const REST_MS = 1_000;
/** And for a client to read on, if all that is left to do is to read. */
const UNREAD_MS = 2_000;

/** The open connections of an application's servers. */
export class Connections {
  readonly #open = new Set<Socket>();
  #ending = false;

  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (this.#ending) return void socket.destroy();
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Ends those on which nobody has asked for anything; Node itself ends only those that had an answer. */
  end(): void {
    this.#ending = true;
    for (const socket of this.#open) {
      const response = answerUnderWay(socket);
      if (response === undefined) {
        if (socket.bytesRead === 0) socket.destroy();
        continue;
      }
      const limit = () => socket.setTimeout(UNREAD_MS);
      if (response.writableEnded) limit();
      else response.once('prefinish', limit);
    }
    setTimeout(() => {
      for (const socket of this.#open) if (!answerUnderWay(socket)) socket.destroy();
    }, REST_MS).unref();
  }
}
