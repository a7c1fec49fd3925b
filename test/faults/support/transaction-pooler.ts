import { createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A proxy that pools transactions: each transaction runs on the next server connection. */
export interface TransactionPooler {
  url: string;
  close: () => Promise<void>;
}

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function startTransactionPooler(
  databaseUrl: string,
  size = 2,
): Promise<TransactionPooler> {
  const backends: { client: pg.Client; socket: Socket }[] = [];
  for (let count = 0; count < size; count += 1) {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
    socket.removeAllListeners('data');
    backends.push({ client, socket });
  }
  let nextIndex = 0;
  const server = createServer((client) => {
    let isAuthenticated = false;
    const forwardResponse = (chunk: Buffer) => {
      client.write(chunk);
      if (!chunk.subarray(-READY_AND_IDLE.length).equals(READY_AND_IDLE)) return;
      backends[nextIndex]!.socket.off('data', forwardResponse);
      nextIndex = (nextIndex + 1) % size;
      backends[nextIndex]!.socket.on('data', forwardResponse);
    };
    backends[nextIndex]!.socket.on('data', forwardResponse);
    client.on('error', () => {});
    client.on('close', () => backends[nextIndex]!.socket.off('data', forwardResponse));
    client.on('data', (chunk) => {
      if (!isAuthenticated) {
        isAuthenticated = true;
        client.write(Buffer.concat([AUTHENTICATED, READY_AND_IDLE]));
      } else if (chunk[0] === 0x58) client.end();
      else backends[nextIndex]!.socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    close: async () => {
      for (const { socket } of backends) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
