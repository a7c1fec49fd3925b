import { POLICY } from 'pg-boss/dist/attorney.js';

// pg-boss refuses less. With less than 100 ms plus the time of its query, it would never pause.
POLICY.MIN_POLLING_INTERVAL_MS = 200;

/** Options of a job. Tests wait for hundreds of jobs, which start half a second apart by default. */
export const POLL_OFTEN = { pollSeconds: 0.2 };
