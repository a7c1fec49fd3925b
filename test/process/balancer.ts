import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_INTERVAL_MS = 25;

interface Backend {
  url: string;
  ready: boolean;
  sockets: Set<Socket>;
}

/**
 * A TCP load balancer, as in Kubernetes or a cloud: each new connection goes to the next server
 * whose last `/readyz` check succeeded. It never retries.
 */
export interface Balancer {
  url: string;
  /** Starts health checks on a server and waits until it is ready. */
  add: (url: string) => Promise<void>;
  /** Waits until a server is marked not ready and has no connections. */
  drained: (url: string) => Promise<void>;
  close: () => void;
}

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, Backend>();
  let closed = false;
  let turn = 0;
  const look = async (backend: Backend) => {
    while (!closed) {
      const answer = await fetch(`${backend.url}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      backend.ready = answer?.status === 200;
      await sleep(CHECK_INTERVAL_MS);
    }
  };
  const server = createServer((caller) => {
    caller.on('error', () => {});
    const ready = [...backends.values()].filter((backend) => backend.ready);
    turn += 1;
    const backend = ready[turn % ready.length];
    if (!backend) return caller.destroy();
    const { hostname, port } = new URL(backend.url);
    const callee = connect(Number(port), hostname);
    callee.on('error', () => {});
    backend.sockets.add(callee);
    callee.on('close', () => {
      backend.sockets.delete(callee);
      caller.destroy();
    });
    caller.on('close', () => callee.destroy());
    caller.pipe(callee).pipe(caller);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      const backend: Backend = { url, ready: false, sockets: new Set() };
      backends.set(url, backend);
      void look(backend);
      while (!backend.ready) await sleep(CHECK_INTERVAL_MS);
    },
    drained: async (url) => {
      const backend = backends.get(url)!;
      while (backend.ready || backend.sockets.size > 0) await sleep(CHECK_INTERVAL_MS);
    },
    close: () => {
      closed = true;
      server.close();
      for (const { sockets } of backends.values()) for (const socket of sockets) socket.destroy();
    },
  };
}
