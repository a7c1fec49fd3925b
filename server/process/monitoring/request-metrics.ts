import { Counter, Histogram, type Registry } from 'prom-client';
import type { Instruments } from '#server/platform/http/instruments.ts';
import { GATES } from '#server/platform/limits/overloaded-error.ts';
import { addGauge } from './gauge.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** From cached responses to chat messages that wait for a rate limit. */
const DURATION_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels contain no data from clients, which could otherwise create any number of label values. */
export function registerRequestMetrics(register: Registry): Instruments {
  const requests = new Counter({
    name: 'nameplate_http_requests_total',
    help: 'Finished requests. The route is empty if no endpoint matched.',
    labelNames: ['method', 'route', 'status'],
    registers: [register],
  });
  const refusals = new Counter({
    name: 'nameplate_http_refusals_total',
    help: 'Refused and failed requests, by the reason in the request log.',
    labelNames: ['reason'],
    registers: [register],
  });
  const overloads = new Counter({
    name: 'nameplate_overloads_total',
    help: 'Requests refused because of overload, by gate.',
    labelNames: ['gate'],
    registers: [register],
  });
  // Start at zero, because Prometheus cannot see the increase to a first value.
  refusals.inc({ reason: 'overloaded' }, 0);
  for (const gate of GATES) overloads.inc({ gate }, 0);
  const durations = new Histogram({
    name: 'nameplate_http_request_duration_seconds',
    help: 'Time from the request headers to the end of the response.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [register],
  });
  const byteReaders: (() => number)[] = [];
  addGauge(
    register,
    {
      name: 'nameplate_http_bytes_under_way',
      help: 'Bytes of request bodies and responses in flight.',
    },
    () => [[byteReaders.reduce((sum, read) => sum + read(), 0)]],
  );
  return {
    countRequest: ({ method = '', route = '', status, seconds, reason, gate }) => {
      const label = METHODS.has(method) ? method : 'other';
      requests.inc({ method: label, route, status });
      if (seconds !== undefined) durations.observe({ method: label, route }, seconds);
      if (reason !== undefined) refusals.inc({ reason });
      if (gate !== undefined) overloads.inc({ gate });
    },
    registerInFlightBytesGauge: (read) => void byteReaders.push(read),
  };
}
