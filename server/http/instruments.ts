import type { Gate } from '../limits/overloaded-error.ts';

/** A request that was answered, refused by the HTTP parser, or aborted by its client. */
interface FinishedRequest {
  method: string | undefined;
  /** The path template, such as `/account/update-display-name`. Undefined if no route matched. */
  route: string | undefined;
  status: number;
  /**
   * From the request headers to the end of the response. Undefined if the HTTP parser refused the
   * request.
   */
  seconds: number | undefined;
  /** Never contains data from the client. */
  reason: string | undefined;
  /** Set if the request was refused because of overload. */
  gate: Gate | undefined;
}

export interface Instruments {
  /** Called once per request. */
  countRequest: (request: FinishedRequest) => void;
  /** Receives a function that reads the in-flight bytes of an entry point. */
  registerBytesGauge: (read: () => number) => void;
}
