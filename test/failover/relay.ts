import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy with a fixed address for the current primary, like a load balancer. */
export interface Relay {
  port: number;
  /** Forwards new connections to this server. Open connections stay. */
  setTarget: (url: string) => void;
  closeConnections: () => void;
  close: () => Promise<void>;
}

export async function startRelay(url: string): Promise<Relay> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [source, destination] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(source);
      source.setNoDelay(true);
      source.on('data', (chunk) => destination.write(chunk));
      source.on('end', () => destination.end());
      source.on('error', () => {});
      source.on('close', () => {
        sockets.delete(source);
        destination.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    setTarget: (newUrl) => {
      target = new URL(newUrl);
    },
    closeConnections,
    close: async () => {
      closeConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
