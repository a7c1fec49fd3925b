import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { createServer } from '../../http/node-http.ts';
import type { Instruments } from '../../http/instruments.ts';
import type { Maintained } from '../maintenance.ts';
import { type Measured, measurePools, measureService } from './database-metrics.ts';
import { measureProcess } from './process-metrics.ts';
import { measureRequests } from './request-metrics.ts';

/** Metrics for Prometheus. */
export interface Monitoring {
  instruments: Instruments;
  noteMaintenance: (maintained: Maintained) => void;
  /** Serves `/metrics` there, on a port of its own. */
  listen: (at: { host: string; port: number }) => Promise<AddressInfo>;
  close: () => Promise<void>;
}

export function createMonitoring(measured: Measured & { isReady: () => boolean }): Monitoring {
  const register = new Registry();
  const instruments = measureRequests(register);
  measurePools(register, measured);
  measureService(register, measured);
  const noteMaintenance = measureProcess(register, measured.isReady);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end();
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: unknown) => {
        measured.logger.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  return {
    instruments,
    noteMaintenance,
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
