import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { linkAddress } from '#server/settings/listening-address.ts';

/** Where servers listen: to look that up takes longer than to look up a page. */
const listening = new WeakMap<Server, string>();

/** Where the server is for those outside: as it is set, else where it listens. The Host header is not trusted. */
export function originOf(app: FastifyInstance, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const known = listening.get(app.server);
  if (known !== undefined || !app.server.listening) return known ?? 'http://localhost';
  const origin = linkAddress(app.listeningOrigin);
  listening.set(app.server, origin);
  return origin;
}
