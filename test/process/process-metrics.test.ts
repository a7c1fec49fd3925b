import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { registerProcessMetrics } from '#server/process/monitoring/process-metrics.ts';

it('only counters have names that end with _total, as promtool requires', async () => {
  const register = new Registry();
  registerProcessMetrics(register);
  const text = await register.metrics();
  const types = [...text.matchAll(/^# TYPE (\S+_total) (\w+)$/gm)];
  expect(types.length).toBeGreaterThan(0);
  expect(types.filter(([, , type]) => type !== 'counter')).toEqual([]);
});
