import { Registry } from 'prom-client';
import type { Instruments } from '#server/http/instruments.ts';
import type { OpenDatabase } from '#server/database.ts';
import { measureProcess } from './process-metrics.ts';
import { measureRequestHandling } from './serving-metrics.ts';
import type { Snapshot } from '../worker-messages.ts';

export function measureWorker(database: OpenDatabase): {
  instruments: Instruments;
  read: () => Promise<Snapshot>;
} {
  const register = new Registry();
  measureProcess(register);
  const instruments = measureRequestHandling(register, database);
  return { instruments, read: () => register.getMetricsAsJSON() };
}
