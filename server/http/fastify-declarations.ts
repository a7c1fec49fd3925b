import type { Route } from '#contract/define-endpoints.ts';
import type { DomainSite } from '#db/queries/domains.ts';
import type { Gate } from '../limits/overloaded-error.ts';
import type { Caller } from '../caller.ts';
import type { Place } from './access/own-host.ts';
import type { FullDisk } from './full-disk.ts';

declare module 'fastify' {
  interface FastifyInstance {
    fullDisk: FullDisk;
  }
  interface FastifyRequest {
    /** Undefined until the guard of an entry point let it in. */
    caller: Caller | undefined;
    /** Bytes that the request holds of those that are bounded. */
    bytesUnderWay: number;
    /** Why it is refused or failed, in words of ours alone: what a caller sent is never logged. */
    refused: { reason: string; keyId?: string; gate?: Gate } | undefined;
    /** The custom domain at which it arrived, and whose it is; undefined at every other host. */
    domain: (DomainSite & { host: string }) | undefined;
    /** Whether its line of the log is written. */
    isLogged: boolean;
  }
  interface FastifyContextConfig {
    /** The endpoint that a request was routed to; undefined outside the contract. */
    tsRestRoute?: Route;
    /** Kinds of hosts at which it is found; without it, the server's own. */
    isFoundAt?: readonly Place[] | undefined;
    /** Whether it answers without a look-up of whose the host is. */
    isForProbes?: boolean;
  }
}
