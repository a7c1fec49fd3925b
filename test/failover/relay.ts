import { connect, createServer, type Socket } from 'node:net';

/** A TCP address that points to the current primary, like a load balancer. */
export interface Relay {
  port: number;
  /** Sends new connections to this server. Open connections stay. */
  leadTo: (url: string) => void;
  /** Closes the open connections. */
  cut: () => void;
  /** Stops all traffic without closing connections. `false` delivers what was held back. */
  stall: (stalled: boolean) => void;
  close: () => Promise<void>;
}

export async function startRelay(url: string): Promise<Relay> {
  let target = new URL(url);
  let stalled = false;
  const sockets = new Set<Socket>();
  const hold = (socket: Socket) => (stalled ? socket.pause() : socket.resume());
  const server = createServer((caller) => {
    const callee = connect(Number(target.port), target.hostname);
    for (const [here, there] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(here);
      here.setNoDelay(true);
      here.on('data', (chunk) => there.write(chunk));
      here.on('end', () => there.end());
      here.on('error', () => {});
      here.on('close', () => {
        sockets.delete(here);
        there.destroy();
      });
      hold(here);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    leadTo: (other) => {
      target = new URL(other);
    },
    cut,
    stall: (on) => {
      stalled = on;
      for (const socket of sockets) hold(socket);
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
