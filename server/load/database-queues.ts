import { FairQueue } from './fair-queue.ts';

/** Queues of accounts in front of the connections to the database. */
export interface DatabaseQueues {
  writes: FairQueue;
  reads: FairQueue;
  metricReads: FairQueue;
}

/** Connections for what owners ask about their metrics. */
export const METRIC_CONNECTIONS = 4;

/** Writes that wait, for each connection. */
const WAITING_WRITES = 40;
/** Reads that are sent at a time: enough to keep the shared connections busy. */
const READS_AT_ONCE = 128;
/** Reads that wait, for each that is sent. */
const WAITING_READS = 12;

export function openDatabaseQueues({
  connections,
  waitingWrites = connections * WAITING_WRITES,
  readsAtOnce = READS_AT_ONCE,
  patienceMs,
}: {
  connections: number;
  waitingWrites?: number | undefined;
  readsAtOnce?: number | undefined;
  patienceMs: number;
}): DatabaseQueues {
  return {
    writes: new FairQueue({
      gate: 'writes',
      slots: connections,
      waiting: waitingWrites,
      patienceMs,
    }),
    reads: new FairQueue({
      gate: 'reads',
      slots: readsAtOnce,
      waiting: readsAtOnce * WAITING_READS,
      patienceMs,
    }),
    metricReads: new FairQueue({
      gate: 'metric-reads',
      slots: METRIC_CONNECTIONS,
      waiting: METRIC_CONNECTIONS * 10,
      patienceMs,
    }),
  };
}
