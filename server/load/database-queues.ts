import { FairQueue } from './fair-queue.ts';

/** What accounts share of the database. */
export interface DatabaseQueues {
  /**
   * The connections of the pool: all for an account that is alone, a quarter while others wait; a
   * quarter is left free for others who were there a moment ago.
   */
  writes: FairQueue;
  /**
   * Reads on their way at once, so many for one account that a lone one keeps all lines busy. Not
   * more while nobody waits: what is behind a lock could not be taken back from it.
   */
  reads: FairQueue;
  /** Connections that read many metrics: an account never has more than two. */
  metricReads: FairQueue;
}

/** Connections for what owners ask about their metrics. */
export const METRIC_CONNECTIONS = 4;
const METRIC_READS_AT_ONCE = 2;

const READS_AT_ONCE = 32;

export function openDatabaseQueues(options: {
  connections: number;
  maxWaiting: number;
  /** Reads of all accounts on their way at once, and as many more may wait. */
  maxReads: number;
  patienceMs: number;
}): DatabaseQueues {
  const { connections, maxWaiting, maxReads, patienceMs } = options;
  const quarter = Math.max(1, Math.floor(connections / 4));
  return {
    writes: new FairQueue({
      places: connections,
      share: quarter,
      besideOthers: Math.max(1, connections - quarter),
      alone: connections,
      maxWaiting,
      patienceMs,
    }),
    reads: new FairQueue({
      places: maxReads,
      share: READS_AT_ONCE,
      besideOthers: READS_AT_ONCE,
      alone: READS_AT_ONCE,
      maxWaiting: maxReads,
      patienceMs,
    }),
    metricReads: new FairQueue({
      places: METRIC_CONNECTIONS,
      share: METRIC_READS_AT_ONCE,
      besideOthers: METRIC_READS_AT_ONCE,
      alone: METRIC_READS_AT_ONCE,
      maxWaiting: METRIC_CONNECTIONS * 10,
      patienceMs,
    }),
  };
}
