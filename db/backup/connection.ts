import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Database } from '../connections/handles.ts';
import { prepareSession } from '../connections/postgres.ts';
import type { Schema } from '../schema.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 500;

/**
 * One connection for statements and COPY. Closing it aborts whichever is running and rolls back the
 * transaction.
 */
export interface CopyConnection extends AsyncDisposable {
  /** All queries share the connection: run one statement or COPY at a time. */
  db: Database;
  copyTo: (statement: string) => ReturnType<typeof to>;
  copyFrom: (statement: string) => ReturnType<typeof from>;
}

export async function connectForCopy(connectionString: string): Promise<CopyConnection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    application_name: 'nameplate copy',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => socket,
  });
  // Without a listener, a lost connection would crash the process. Pending statements reject anyway.
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client);
    // Time limits of the role or the database are meant for requests, not for long copies.
    await client.query(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
      ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`);
    return {
      db: createKysely(client),
      copyTo: (statement) => client.query(to(statement)),
      copyFrom: (statement) => client.query(from(statement)),
      [Symbol.asyncDispose]: () => endClient(client, socket),
    };
  } catch (error) {
    await endClient(client, socket);
    throw error;
  }
}

function createKysely(client: pg.Client): Database {
  const connection = {
    query: client.query.bind(client) as pg.PoolClient['query'],
    release: () => {},
  };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: () => Promise.resolve(connection),
        end: () => Promise.resolve(),
      },
    }),
  }) as Database;
}

/** Closes the connection cleanly, but waits only briefly for a server that does not respond. */
async function endClient(client: pg.Client, socket: Socket): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    client.end(),
    sleep(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }),
  ]);
  timeout.abort();
  socket.destroy();
}
