import type { App } from '#server/app.ts';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };
import { addGauge } from './gauge.ts';

export function registerProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const metric of register.getMetricsAsArray())
    // Prometheus' linter rejects these gauges, because they are named like counters.
    if (/^nodejs_active_\w+_total$/.test(metric.name)) register.removeSingleMetric(metric.name);
}

export function registerServerMetrics(register: Registry, lifecycle: App['lifecycle']): void {
  const { version } = packageJson;
  addGauge(
    register,
    {
      name: 'nameplate_build_info',
      help: 'Always 1; the version is a label.',
      labelNames: ['version'],
    },
    () => [[1, { version }]],
  );
  addGauge(
    register,
    { name: 'nameplate_ready', help: '1 while the server is ready for requests.' },
    () => [[lifecycle.isReady ? 1 : 0]],
  );
}
