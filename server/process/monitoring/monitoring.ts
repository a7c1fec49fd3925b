import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry, collectDefaultMetrics, Counter, Histogram } from 'prom-client';
import type { Core } from '#server/core.ts';
import { createOwnHostCheck, hostNameOf } from '#server/platform/http/access/hosts.ts';
import { createServer } from '#server/platform/http/connection/node-http.ts';
import type { Instruments } from '#server/platform/http/instruments.ts';
import { GATES } from '#server/platform/limits/overloaded-error.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  type MonitoredApp,
  registerPoolMetrics,
  registerServiceMetrics,
} from './database-metrics.ts';
import { addGauge } from './gauge.ts';

export interface Monitoring {
  instruments: Instruments;
  listen: (address: { host: string; port: number }) => Promise<AddressInfo>;
  close: () => Promise<void>;
}

export function createMonitoring(app: MonitoredApp & Pick<Core, 'config'>): Monitoring {
  const register = new Registry();
  registerProcessMetrics(register);
  registerServiceMetrics(register, app);
  registerVersion(register);
  registerPoolMetrics(register, app.database);
  const instruments = registerRequestMetrics(register);
  const isOwnHost = createOwnHostCheck(app.config);
  // At other addresses, a Prometheus may use any name, and any machine may connect anyway.
  const checksHost = LOOPBACK.test(app.config.PROMETHEUS_HOST);
  const server = createServer((request, response) => {
    // As in `requireOwnHost`: the page of an attacker must not read the metrics of its visitor.
    if (checksHost && !isOwnHost(hostNameOf(request) ?? '')) return response.writeHead(421).end();
    if (request.url !== '/metrics') return response.writeHead(404).end();
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end();
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: unknown) => {
        app.log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  return {
    instruments,
    listen: async ({ host, port }) => {
      await once(server.listen(port, host), 'listening');
      return server.address() as AddressInfo;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      register.clear();
    },
  };
}

export function registerProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const metric of register.getMetricsAsArray())
    // Prometheus' linter rejects these gauges, because they are named like counters.
    if (/^nodejs_active_\w+_total$/.test(metric.name)) register.removeSingleMetric(metric.name);
}

function registerVersion(register: Registry): void {
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
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** From cached responses to chat messages that wait for a rate limit. */
const DURATION_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels contain no data from clients, which could otherwise create any number of label values. */
function registerRequestMetrics(register: Registry): Instruments {
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
      name: 'nameplate_http_bytes_in_flight',
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
