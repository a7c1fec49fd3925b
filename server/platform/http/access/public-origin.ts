import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { toBrowsableOrigin } from '#server/platform/settings/listening-address.ts';

/** Cached, because looking up the listening address is slower than rendering a cached page. */
const listeningOrigins = new WeakMap<Server, string>();

/** Never uses the `Host` header, which clients control. */
export function publicOrigin(app: FastifyInstance, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const cached = listeningOrigins.get(app.server);
  if (cached !== undefined || !app.server.listening) return cached ?? 'http://localhost';
  const origin = toBrowsableOrigin(app.listeningOrigin);
  listeningOrigins.set(app.server, origin);
  return origin;
}
