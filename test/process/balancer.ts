import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 25;

/** A server behind a balancer. */
interface Backend {
  url: string;
  ready: boolean;
  sockets: Set<Socket>;
}

/**
 * A balancer that knows nothing of HTTP, as those of Kubernetes and of cloud providers: it leads each
 * new connection to the next server whose `/readyz` said 200 when it was asked last, and repeats
 * nothing.
 */
export interface Balancer {
  url: string;
  /** Begins to look at a server, and waits until it is ready. */
  add: (url: string) => Promise<void>;
  /** Waits until it has seen that a server is not ready, and nobody is connected to it any more. */
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
      await sleep(LOOK_MS);
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
      while (!backend.ready) await sleep(LOOK_MS);
    },
    drained: async (url) => {
      const backend = backends.get(url)!;
      while (backend.ready || backend.sockets.size > 0) await sleep(LOOK_MS);
    },
    close: () => {
      closed = true;
      server.close();
      for (const { sockets } of backends.values()) for (const socket of sockets) socket.destroy();
    },
  };
}
