import type { FastifyInstance } from 'fastify';

const NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** The display name that an address means, whatever its case; undefined if there can be no such name. */
export function nameIn(address: string): string | undefined {
  const name = address.toLowerCase();
  return NAME.test(name) ? name : undefined;
}

/** Where the server is for those outside: as it is set, else where it listens. What callers say is not believed. */
export function originOf(app: FastifyInstance, publicUrl: string | undefined): string {
  return publicUrl ?? (app.server.listening ? app.listeningOrigin : 'http://localhost');
}
