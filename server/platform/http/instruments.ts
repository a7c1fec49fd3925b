import type { Gate } from '../limits/overloaded-error.ts';

interface MeasuredRequest {
  method?: string | undefined;
  /** The path template, such as `/account/update-display-name`. Undefined if no route matched. */
  route?: string | undefined;
  status: number;
  /**
   * From the request headers to the end of the response. Undefined if the HTTP parser refused the
   * request.
   */
  seconds?: number | undefined;
  /** Never contains data from the client. */
  reason: string | undefined;
  gate?: Gate | undefined;
}

export interface Instruments {
  countRequest: (request: MeasuredRequest) => void;
  registerInFlightBytesGauge: (read: () => number) => void;
}
