import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { DomainSite } from '#db/queries/domains.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '../responses/refusals.ts';

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);
const refuseAtDomain = createRefuser(PAGE_REFUSALS);

const DEFAULT_HOST_KINDS: readonly HostKind[] = ['server'];

/**
 * `server`: the host of `PUBLIC_URL`. `pages`: the host of `PAGES_URL`, or of `PUBLIC_URL` if that
 * is not set. `domains`: custom domains of accounts. `handles`: names directly below the host of the
 * pages, such as `jane-doe.example.org`.
 */
export type HostKind = 'server' | 'pages' | 'domains' | 'handles';

export const ON_EVERY_HOST = { config: { hostKinds: ['server', 'pages', 'domains'] } } as const;

/** Available at every host except that of `PAGES_URL`, without a database query. */
export const PROBE_ROUTE = { config: { isProbe: true } } as const;

type HostSettings = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'PAGES_URL'>;

/** The names or addresses that this server listens on, and the hosts of its URLs. */
export function ownHosts({ HOST, PUBLIC_URL, PAGES_URL }: HostSettings): string[] {
  const urls = [PUBLIC_URL, PAGES_URL].filter((url) => url !== undefined);
  return [HOST, ...urls.map((url) => new URL(url).hostname)];
}

export function createOwnHostCheck(config: HostSettings): (name: string) => boolean {
  const names = new Set(ownHosts(config).map((name) => name.toLowerCase()));
  return (name) => names.has(name) || isLocalName(name);
}

/** Whether the request is for a route of the kind `handles`, at such a host. */
function createHandleCheck({ PAGES_URL, PUBLIC_URL }: HostSettings) {
  const url = PAGES_URL ?? PUBLIC_URL;
  const suffix = url === undefined ? undefined : `.${new URL(url).hostname}`;
  return (request: FastifyRequest): boolean => {
    const name = hostNameOf(request);
    return (
      suffix !== undefined &&
      request.routeOptions.config.hostKinds?.includes('handles') === true &&
      name?.endsWith(suffix) === true &&
      !name.slice(0, -suffix.length).includes('.')
    );
  };
}

/**
 * Refuses requests at unknown hosts: an attacker could point a domain at this server, and browsers
 * would treat its pages as the attacker's site. IP addresses and names without a dot cannot be
 * abused this way.
 */
export function requireOwnHost({ config }: Pick<Core, 'config'>): onRequestHookHandler {
  const isOwn = createOwnHostCheck(config);
  const isHandle = createHandleCheck(config);
  return (request, _reply, done) => {
    const name = hostNameOf(request);
    const isAllowed =
      request.domain !== undefined || (name !== undefined && isOwn(name)) || isHandle(request);
    done(isAllowed ? undefined : refuse('misdirectedRequest'));
  };
}

interface DomainSites {
  find: (host: string) => Promise<DomainSite | undefined> | DomainSite | undefined;
}

/**
 * Serves pages written by users only at `PAGES_URL` (if it is set) and at custom domains, so that
 * they cannot attack the dashboard. Custom domains serve only probes and routes of the kind
 * `domains`.
 */
export function separateHosts({
  server,
  config,
  domains: customDomains,
}: Pick<Core, 'server' | 'config'> & {
  domains: { siteCache: DomainSites } | undefined;
}): void {
  const { PAGES_URL: pagesUrl } = config;
  const pagesHost = pagesUrl === undefined ? undefined : new URL(pagesUrl).hostname;
  const isOwn = createOwnHostCheck(config);
  const isHandle = createHandleCheck(config);
  const domains = customDomains?.siteCache;
  server.addHook('onRequest', (request, _reply, done) => {
    const { hostKinds = DEFAULT_HOST_KINDS, isProbe } = request.routeOptions.config;
    const name = hostNameOf(request);
    const isAtServer =
      hostKinds.includes(pagesHost !== undefined && name === pagesHost ? 'pages' : 'server') ||
      (pagesHost === undefined && hostKinds.includes('pages'));
    const notFound = isAtServer || isHandle(request) ? undefined : refuse('pathNotFound');
    if (!domains || name === undefined || isProbe || isOwn(name)) return done(notFound);
    const onFound = (site: DomainSite | undefined) => {
      if (!site) return done(notFound);
      request.domain = { ...site, host: name };
      done(hostKinds.includes('domains') ? undefined : refuseAtDomain('pageNotFound'));
    };
    // Routes that do not exist at custom domains must not depend on the database.
    const onError = (error: Error) => done(hostKinds.includes('domains') ? error : notFound);
    const lookup = domains.find(name);
    if (lookup instanceof Promise) lookup.then(onFound, onError);
    else onFound(lookup);
  });
}

export function hostNameOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.host
    ?.replace(/:\d*$/, '')
    .replace(/(?<=[^.])\.$/, '')
    .toLowerCase();
}

function isLocalName(name: string): boolean {
  const isAddress = name.startsWith('[') || isIP(name) !== 0;
  return isAddress || !name.includes('.') || name.endsWith('.localhost');
}
