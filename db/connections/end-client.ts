import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const GOODBYE_MS = 500;

/** Ends a connection with a goodbye, which a server that died silently is not waited for to return. */
export async function endClient(client: pg.Client, socket: Socket): Promise<void> {
  const over = new AbortController();
  await Promise.race([client.end(), sleep(GOODBYE_MS, undefined, { signal: over.signal })]);
  over.abort();
  socket.destroy();
}
