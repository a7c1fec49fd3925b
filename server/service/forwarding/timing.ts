/** The queue's times, in milliseconds. */
export interface Timing {
  /** A run ends after this long. */
  runMs: number;
  /** How long one server has a name to itself; longer than a run. */
  leaseMs: number;
  /** How long a call without an answer may still take effect at the provider. */
  uncertainMs: number;
  /** Wait after the first failure; each further one doubles it. */
  retryMs: number;
  /** Longest wait between tries. */
  maxRetryMs: number;
  /** Polling interval for due jobs. On average, a login link waits half of it. */
  pollMs: number;
  /** How long the provider still knows an address that no account has any more. */
  unwantedMs: number;
}

export const TIMING: Timing = {
  runMs: 25_000,
  leaseMs: 28_000,
  uncertainMs: 120_000,
  retryMs: 2_000,
  maxRetryMs: 900_000,
  pollMs: 500,
  unwantedMs: 86_400_000,
};

/** How long to wait after so many failures: doubled each time, somewhere in the upper half of it. */
export function backoff({ retryMs, maxRetryMs }: Timing, failures: number): number {
  const longest = Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures, 30));
  return longest * (0.5 + Math.random() / 2);
}
