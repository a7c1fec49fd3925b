import type { Route } from '#contract/define-endpoints.ts';
import type { DomainSite } from '#db/queries/domains.ts';
import type { Translator } from '#translations/translator.ts';
import type { Caller } from '../caller.ts';
import type { Gate } from '../limits/overloaded-error.ts';
import type { HostKind } from './access/hosts.ts';
import type { ProxyMonitor } from './access/proxy-monitor.ts';
import type { DiskFullTracker } from './disk-full-tracker.ts';

declare module 'fastify' {
  interface FastifyInstance {
    diskFullTracker: DiskFullTracker;
    /** Paths of the contracts whose feature `FEATURES_OFF` leaves out. */
    pathsOff: Set<string>;
    proxyMonitor: ProxyMonitor;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    inFlightBytes: number;
    /** Whose bytes they are: an account's or a network's. */
    inFlightKey: string | undefined;
    /** For the log. Never contains data from the client. `gate` is the limit that refused the request. */
    refused:
      | { reason: string; accountId?: string; keyId?: string | undefined; gate?: Gate }
      | undefined;
    domain: (DomainSite & { host: string }) | undefined;
    isLogged: boolean;
    /** The body of a response with an error, for the request log of the owner. */
    errorBody: string | undefined;
    /** Translates to the language that the browser prefers. */
    readonly t: Translator;
  }
  interface FastifyContextConfig {
    tsRestRoute?: Route;
    hostKinds?: readonly HostKind[] | undefined;
    /** Skips the database lookup of custom domains. */
    isProbe?: boolean;
  }
}
