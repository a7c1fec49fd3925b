import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { createServer } from '#server/http/connection/node-http.ts';
import type { Instruments } from '#server/http/instruments.ts';
import { type MonitoringDeps, registerServiceMetrics } from './database-metrics.ts';
import { registerProcessMetrics, registerServerMetrics } from './process-metrics.ts';
import { registerServingMetrics } from './serving-metrics.ts';
import { ClusterMetrics } from './cluster-metrics.ts';

export interface Monitoring {
  /** Undefined if workers serve requests, because they have their own. */
  instruments: Instruments | undefined;
  listen: (address: { host: string; port: number }) => Promise<AddressInfo>;
  close: () => Promise<void>;
}

export function createMonitoring(
  deps: MonitoringDeps & { isReady: () => boolean; hasWorkers: boolean },
): Monitoring {
  const register = new Registry();
  registerProcessMetrics(register);
  registerServiceMetrics(register, deps);
  registerServerMetrics(register, deps.isReady);
  const instruments = deps.hasWorkers ? undefined : registerServingMetrics(register, deps.database);
  const workers = deps.hasWorkers ? new ClusterMetrics() : undefined;
  const read = async () =>
    workers ? workers.aggregateWith(await register.getMetricsAsJSON()) : register.metrics();
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end();
    read().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: unknown) => {
        deps.logger.warn({ err: error }, 'the metrics could not be read');
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
