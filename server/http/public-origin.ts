import type { FastifyInstance } from 'fastify';

/** Where the server is for those outside: as it is set, else where it listens. What callers say is not believed. */
export function originOf(app: FastifyInstance, publicUrl: string | undefined): string {
  return publicUrl ?? (app.server.listening ? app.listeningOrigin : 'http://localhost');
}
