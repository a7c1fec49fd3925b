import { Shares } from './shares.ts';

/** What accounts share of the database. */
export interface DatabaseShares {
  /**
   * The connections of the pool: all for an account that is alone, a quarter while others wait; a
   * quarter is left free for others who were there a moment ago.
   */
  writes: Shares;
  /**
   * Reads on their way at once, so many for one account that a lone one keeps all lines busy. Not
   * more while nobody waits: what is behind a lock could not be taken back from it.
   */
  reads: Shares;
  /** Connections that read many metrics: an account never has more than two. */
  metricReads: Shares;
}

/** Connections for what owners ask about their metrics. */
export const METRIC_CONNECTIONS = 4;
const METRIC_READS_AT_ONCE = 2;

const READS_AT_ONCE = 32;

export function shareDatabase(options: {
  connections: number;
  maxWaiting: number;
  /** Reads of all accounts on their way at once, and as many more may wait. */
  maxReads: number;
  patienceMs: number;
}): DatabaseShares {
  const { connections, maxWaiting, maxReads, patienceMs } = options;
  const quarter = Math.max(1, Math.floor(connections / 4));
  return {
    writes: new Shares({
      places: connections,
      share: quarter,
      besideOthers: Math.max(1, connections - quarter),
      alone: connections,
      maxWaiting,
      patienceMs,
    }),
    reads: new Shares({
      places: maxReads,
      share: READS_AT_ONCE,
      besideOthers: READS_AT_ONCE,
      alone: READS_AT_ONCE,
      maxWaiting: maxReads,
      patienceMs,
    }),
    metricReads: new Shares({
      places: METRIC_CONNECTIONS,
      share: METRIC_READS_AT_ONCE,
      besideOthers: METRIC_READS_AT_ONCE,
      alone: METRIC_READS_AT_ONCE,
      maxWaiting: METRIC_CONNECTIONS * 10,
      patienceMs,
    }),
  };
}
