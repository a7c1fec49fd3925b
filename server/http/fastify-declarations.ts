import type { Route } from '../../contract/area.ts';
import type { Gate } from '../load/overloaded-error.ts';
import type { Caller } from '../service/caller.ts';
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
    /** Whether its line of the log is written. */
    isLogged: boolean;
  }
  interface FastifyContextConfig {
    /** The endpoint that a request was routed to; undefined outside the contract. */
    tsRestRoute?: Route;
    /** Where it is found while pages have a host of their own: there, or everywhere; else everywhere but there. */
    isFoundAt?: 'pages' | 'every host' | undefined;
  }
}
