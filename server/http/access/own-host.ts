import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { refuserOf } from '#server/refusal.ts';
import type { DomainSite } from '#db/queries/domains.ts';
import { BELOW_ENDPOINTS, PAGE_REFUSALS } from '../answers/refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);
const refuseAtDomain = refuserOf(PAGE_REFUSALS);

/** Where a route is unless it says otherwise. */
const SERVER: readonly Place[] = ['server'];

/**
 * Kinds of hosts: those of the server, the one of pages, which may be the same, and custom domains of
 * owners.
 */
export type Place = 'server' | 'pages' | 'domains';

/** For routes that are at every kind of host. */
export const AT_EVERY_HOST = { config: { isFoundAt: ['server', 'pages', 'domains'] } } as const;

/** For routes that probes ask, which do not depend on the database: at every host but that of pages. */
export const FOR_PROBES = { config: { isForProbes: true } } as const;

/** Where a server is found. */
export interface Whereabouts {
  /** Where people find it; without it, where it listens. */
  publicUrl?: string | undefined;
  /** Where people find the pages of sites, perhaps there too; without it, where it listens. */
  pagesUrl?: string | undefined;
  /** Where it listens, by the name or address of its host. */
  host: string;
}

/** Whether a host is the server's, or nobody's. */
function ownHostCheck({ publicUrl, pagesUrl, host }: Whereabouts): (name: string) => boolean {
  const urls = [publicUrl, pagesUrl].filter((url) => url !== undefined);
  const own = [host, ...urls.map((url) => new URL(url).hostname)];
  const names = new Set(own.map((name) => name.toLowerCase()));
  return (name) => names.has(name) || isNobodysElse(name);
}

/**
 * Refuses pages to whoever asks for them at another host: somebody could have their own name lead here
 * and, for browsers, be the same site. Addresses, and names without a dot, are nobody's to do that with.
 */
export function refuseOtherHosts(whereabouts: Whereabouts): onRequestHookHandler {
  const isOwn = ownHostCheck(whereabouts);
  return (request, _reply, done) => {
    const name = hostNameOf(request);
    const isRight = request.domain !== undefined || (name !== undefined && isOwn(name));
    done(isRight ? undefined : refuse('misdirectedRequest'));
  };
}

/** Custom domains of owners, as far as requests need them. */
export interface DomainSites {
  find: (domain: string) => DomainSite | undefined | Promise<DomainSite | undefined>;
}

/**
 * Keeps kinds of hosts apart. The pages of sites, if they have a host of their own, are there and nowhere
 * else: what a page of somebody's could do at its host, it can do to other pages alone. A custom domain has
 * the page of its owner and nothing else but what probes ask.
 */
export function keepHostsApart(
  app: FastifyInstance,
  whereabouts: Whereabouts,
  domains: DomainSites | undefined,
): void {
  const { pagesUrl } = whereabouts;
  const pagesHost = pagesUrl === undefined ? undefined : new URL(pagesUrl).hostname;
  const isOwn = ownHostCheck(whereabouts);
  app.addHook('onRequest', (request, _reply, done) => {
    const { isFoundAt = SERVER, isForProbes } = request.routeOptions.config;
    const name = hostNameOf(request);
    const isAtServer =
      isFoundAt.includes(pagesHost !== undefined && name === pagesHost ? 'pages' : 'server') ||
      (pagesHost === undefined && isFoundAt.includes('pages'));
    const notThere = isAtServer ? undefined : refuse('pathNotFound');
    if (!domains || name === undefined || isForProbes || isOwn(name)) return done(notThere);
    const enter = (site: DomainSite | undefined) => {
      if (!site) return done(notThere);
      request.domain = { ...site, host: name };
      done(isFoundAt.includes('domains') ? undefined : refuseAtDomain('pageNotFound'));
    };
    // Routes that are never at a domain do not depend on the database.
    const fail = (error: Error) => done(isFoundAt.includes('domains') ? error : notThere);
    const found = domains.find(name);
    if (found instanceof Promise) found.then(enter, fail);
    else enter(found);
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
