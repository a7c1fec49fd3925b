import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { App } from '#server/app.ts';
import { createServer } from '#server/platform/http/connection/node-http.ts';
import type { Instruments } from '#server/platform/http/instruments.ts';
import {
  type MonitoredApp,
  registerPoolMetrics,
  registerServiceMetrics,
} from './database-metrics.ts';
import { registerProcessMetrics, registerServerMetrics } from './process-metrics.ts';
import { registerRequestMetrics } from './request-metrics.ts';

export interface Monitoring {
  instruments: Instruments;
  listen: (address: { host: string; port: number }) => Promise<AddressInfo>;
  close: () => Promise<void>;
}

export function createMonitoring(app: MonitoredApp & Pick<App, 'lifecycle'>): Monitoring {
  const register = new Registry();
  registerProcessMetrics(register);
  registerServiceMetrics(register, app);
  registerServerMetrics(register, app.lifecycle);
  registerPoolMetrics(register, app.database);
  const instruments = registerRequestMetrics(register);
  const server = createServer((request, response) => {
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
