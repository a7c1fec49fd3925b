import { Gauge, type Registry } from 'prom-client';

/** A value and, where there is more than one, whose it is. */
export type Sample = [value: number, labels?: Record<string, string>];

/** Adds a gauge that is read whenever the metrics are; without a sample it has no value at all. */
export function addGauge(
  register: Registry,
  about: { name: string; help: string; labelNames?: string[] },
  read: () => Sample[] | Promise<Sample[]>,
): void {
  const gauge = new Gauge({
    ...about,
    registers: [register],
    collect: async () => {
      const samples = await read();
      gauge.reset();
      // One without labels would be zero from now on.
      if (about.labelNames === undefined) gauge.remove();
      for (const [value, labels = {}] of samples) gauge.set(labels, value);
    },
  });
}
