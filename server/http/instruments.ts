import type { Gate } from '../limits/overloaded-error.ts';

/** A request that is over: answered, refused below the framework, or given up by its client. */
interface PastRequest {
  method: string | undefined;
  /** The template of its path, such as `/account/update-display-name`; undefined if it has no route. */
  route: string | undefined;
  status: number;
  /** From its head to the end of its answer; undefined for what the framework never saw. */
  seconds: number | undefined;
  /** Why it was refused or failed, in words of ours alone. */
  reason: string | undefined;
  /** The gate that refused it for lack of room. */
  gate: Gate | undefined;
}

/** Instruments that measure the server while it serves. */
export interface Instruments {
  /** Told of every request, once. */
  countRequest: (request: PastRequest) => void;
  /** Told where to read the bytes that the requests of an entry point hold. */
  watchBytes: (read: () => number) => void;
}
