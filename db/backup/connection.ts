import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { turnJitOff } from '../connections/postgres.ts';
import type { Database } from '../schema.ts';

const CONNECT_MS = 10_000;
const GOODBYE_MS = 500;

/** One connection, for statements and for COPY; closing it ends either in the middle and undoes what was not committed. */
export interface CopyConnection extends AsyncDisposable {
  /** All on the one connection, so one thing at a time. */
  db: Kysely<Database>;
  copyTo: (statement: string) => ReturnType<typeof to>;
  copyFrom: (statement: string) => ReturnType<typeof from>;
}

/** Connects without time limits. */
export async function connectForCopy(connectionString: string): Promise<CopyConnection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    application_name: 'nameplate copy',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    stream: () => socket,
  });
  // Whoever waits for a statement is told.
  client.on('error', () => {});
  try {
    await client.connect();
    await turnJitOff(client);
    // Time limits that the operator has set for the user or the database are meant for requests.
    await client.query(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
      ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`);
    // Every server writes and reads values in the same way.
    await client.query(`SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET timezone = 'UTC';
      SET intervalstyle = 'postgres'; SET extra_float_digits = 1`);
    return {
      db: kyselyOn(client),
      copyTo: (statement) => client.query(to(statement)),
      copyFrom: (statement) => client.query(from(statement)),
      [Symbol.asyncDispose]: () => endClient(client, socket),
    };
  } catch (error) {
    await endClient(client, socket);
    throw error;
  }
}

/** Kysely on a connection that it neither makes nor ends. */
function kyselyOn(client: pg.Client): Kysely<Database> {
  const connection = {
    query: client.query.bind(client) as pg.PoolClient['query'],
    release: () => {},
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: () => Promise.resolve(connection),
        end: () => Promise.resolve(),
      },
    }),
  });
}

/** Ends a connection with a goodbye, which a server that died silently is not waited for to return. */
async function endClient(client: pg.Client, socket: Socket): Promise<void> {
  const over = new AbortController();
  await Promise.race([client.end(), sleep(GOODBYE_MS, undefined, { signal: over.signal })]);
  over.abort();
  socket.destroy();
}
