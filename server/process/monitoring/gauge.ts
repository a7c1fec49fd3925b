import { Gauge, type Registry } from 'prom-client';

export type Sample = [value: number, labels?: Record<string, string>];

/** Calls `read` at each scrape. If it returns no samples, the gauge is left out. */
export function addGauge(
  register: Registry,
  config: { name: string; help: string; labelNames?: string[] },
  read: () => Sample[] | Promise<Sample[]>,
): void {
  const gauge = new Gauge({
    ...config,
    registers: [register],
    collect: async () => {
      const samples = await read();
      gauge.reset();
      // prom-client resets a gauge without labels to zero, so remove its value.
      if (config.labelNames === undefined) gauge.remove();
      for (const [value, labels = {}] of samples) gauge.set(labels, value);
    },
  });
}
