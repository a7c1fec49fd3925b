import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { refuserOf } from '../../service/refusal.ts';
import { BELOW_ENDPOINTS } from '../answers/refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** For routes that are at the host of pages and at all others. */
export const AT_EVERY_HOST = { config: { isFoundAt: 'every host' } } as const;

/** Where a server is found. */
export interface Whereabouts {
  /** Where people find it; without it, where it listens. */
  publicUrl?: string | undefined;
  /** Where people find the pages of sites, perhaps there too; without it, where it listens. */
  pagesUrl?: string | undefined;
  /** Where it listens, by the name or address of its host. */
  host: string;
}

/**
 * Refuses pages to whoever asks for them at another host: somebody could have their own name lead here
 * and, for browsers, be the same site. Addresses, and names without a dot, are nobody's to do that with.
 */
export function refuseOtherHosts({ publicUrl, pagesUrl, host }: Whereabouts): onRequestHookHandler {
  const urls = [publicUrl, pagesUrl].filter((url) => url !== undefined);
  const own = [host, ...urls.map((url) => new URL(url).hostname)];
  const names = new Set(own.map((name) => name.toLowerCase()));
  return (request, _reply, done) => {
    const name = hostNameOf(request);
    const isOwn = name !== undefined && (names.has(name) || isNobodysElse(name));
    done(isOwn ? undefined : refuse('misdirectedRequest'));
  };
}

/**
 * Keeps the pages of sites apart from all else, if they have a host of their own: there is nothing but
 * them, and none of them anywhere else. What a page of somebody's could do at its host, it can do to
 * other pages alone.
 */
export function keepPagesApart(app: FastifyInstance, pagesUrl: string | undefined): void {
  if (pagesUrl === undefined) return;
  const pagesHost = new URL(pagesUrl).hostname;
  app.addHook('onRequest', (request, _reply, done) => {
    const { isFoundAt } = request.routeOptions.config;
    const host = hostNameOf(request) === pagesHost ? 'pages' : undefined;
    const isThere = isFoundAt === 'every host' || isFoundAt === host;
    done(isThere ? undefined : refuse('pathNotFound'));
  });
}

/** Without its port and the dot that names may end with. */
function hostNameOf({ headers }: FastifyRequest): string | undefined {
  return headers.host
    ?.replace(/:\d*$/, '')
    .replace(/(?<=[^.])\.$/, '')
    .toLowerCase();
}

function isNobodysElse(name: string): boolean {
  const isAddress = name.startsWith('[') || isIP(name) !== 0;
  return isAddress || !name.includes('.') || name.endsWith('.localhost');
}
