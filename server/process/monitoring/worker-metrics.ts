import { Registry } from 'prom-client';
import type { Instruments } from '#server/http/instruments.ts';
import type { OpenDatabase } from '#server/database.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { registerServingMetrics } from './serving-metrics.ts';
import type { Snapshot } from '../worker-messages.ts';

export function registerWorkerMetrics(database: OpenDatabase): {
  instruments: Instruments;
  read: () => Promise<Snapshot>;
} {
  const register = new Registry();
  registerProcessMetrics(register);
  const instruments = registerServingMetrics(register, database);
  return { instruments, read: () => register.getMetricsAsJSON() };
}
