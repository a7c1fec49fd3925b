import type { Registry } from 'prom-client';
import type { Instruments } from '#server/http/instruments.ts';
import type { OpenDatabase } from '#server/database.ts';
import { registerPoolMetrics } from './database-metrics.ts';
import { registerRequestMetrics } from './request-metrics.ts';

export function registerServingMetrics(
  register: Registry,
  database: Pick<OpenDatabase, 'pools'>,
): Instruments {
  registerPoolMetrics(register, database);
  return registerRequestMetrics(register);
}
