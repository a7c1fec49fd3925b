import type { Registry } from 'prom-client';
import type { Instruments } from '#server/http/instruments.ts';
import type { OpenDatabase } from '#server/database.ts';
import { measurePools } from './database-metrics.ts';
import { measureRequests } from './request-metrics.ts';

export function measureRequestHandling(
  register: Registry,
  database: Pick<OpenDatabase, 'pools'>,
): Instruments {
  measurePools(register, database);
  return measureRequests(register);
}
