import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_INTERVAL_MS = 25;

interface Backend {
  url: string;
  isReady: boolean;
  sockets: Set<Socket>;
}

/**
 * A TCP load balancer like those of Kubernetes and cloud providers. Each new connection goes to the
 * next server whose last `/readyz` check succeeded. The balancer never retries.
 */
export interface Balancer {
  url: string;
  /** Starts health checks on a server and waits until it is ready. */
  add: (url: string) => Promise<void>;
  /** Waits until a server is marked as not ready and has no connections. */
  waitUntilDrained: (url: string) => Promise<void>;
  close: () => void;
}

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, Backend>();
  let closed = false;
  let nextIndex = 0;
  const checkHealth = async (backend: Backend) => {
    while (!closed) {
      const response = await fetch(`${backend.url}/readyz`).catch(() => undefined);
      await response?.arrayBuffer();
      backend.isReady = response?.status === 200;
      await sleep(CHECK_INTERVAL_MS);
    }
  };
  const server = createServer((client) => {
    client.on('error', () => {});
    const ready = [...backends.values()].filter((backend) => backend.isReady);
    nextIndex += 1;
    const backend = ready[nextIndex % ready.length];
    if (!backend) return client.destroy();
    const { hostname, port } = new URL(backend.url);
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => {});
    backend.sockets.add(upstream);
    upstream.on('close', () => {
      backend.sockets.delete(upstream);
      client.destroy();
    });
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      const backend: Backend = { url, isReady: false, sockets: new Set() };
      backends.set(url, backend);
      void checkHealth(backend);
      while (!backend.isReady) await sleep(CHECK_INTERVAL_MS);
    },
    waitUntilDrained: async (url) => {
      const backend = backends.get(url)!;
      while (backend.isReady || backend.sockets.size > 0) await sleep(CHECK_INTERVAL_MS);
    },
    close: () => {
      closed = true;
      server.close();
      for (const { sockets } of backends.values()) for (const socket of sockets) socket.destroy();
    },
  };
}
