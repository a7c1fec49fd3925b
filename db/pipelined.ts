import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { endClient } from './end-client.ts';
import { PoolExhaustedError, type PostgresOptions, TIME_LIMITS } from './postgres.ts';
import { PreparingClient } from './preparing-client.ts';
import type { Database } from './schema.ts';

/**
 * Connects to a PostgreSQL server with a few connections that all queries share: each is sent
 * without waiting for the answers of those before it, and what is asked in one turn of the event
 * loop leaves in one write. For single statements that read: none waits for a lock, and a
 * transaction needs a connection of its own.
 */
export function connectPipelined(
  options: Pick<PostgresOptions, 'connectionString' | 'max' | 'maxWaiting' | 'onError'>,
): Kysely<Database> {
  const lines = Array.from({ length: options.max }, () => new Line(options));
  let turn = 0;
  let waiting = 0;
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        Client: pg.Client,
        end: async () => {
          await Promise.all(lines.map((line) => line.close()));
        },
        connect: async () => {
          if (waiting >= options.maxWaiting) throw new PoolExhaustedError('too many reads');
          turn = (turn + 1) % lines.length;
          waiting += 1;
          const done = () => {
            waiting -= 1;
          };
          try {
            const shared = await lines[turn]!.open();
            return shared.lend(done) as unknown as PostgresPoolClient;
          } catch (error) {
            done();
            throw error;
          }
        },
      },
    }),
  });
}

/** One shared connection, made when it is first needed and again after it was lost. */
class Line {
  readonly #options: Pick<PostgresOptions, 'connectionString' | 'onError'>;
  #connection: Promise<SharedClient> | undefined;

  constructor(options: Pick<PostgresOptions, 'connectionString' | 'onError'>) {
    this.#options = options;
  }

  open(): Promise<SharedClient> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async close(): Promise<void> {
    const shared = await this.#connection?.catch(() => undefined);
    await shared?.close();
  }

  #connect(): Promise<SharedClient> {
    const connection = this.#connectOnce(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }

  async #connectOnce(forget: () => void): Promise<SharedClient> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      pipeline: true,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
      stream: () => socket,
      ...TIME_LIMITS,
    });
    client.on('error', this.#options.onError);
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return new SharedClient(client, socket, forget);
  }
}

class SharedClient {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #forget: () => void;
  readonly #preparing: PreparingClient;

  constructor(client: pg.Client, socket: Socket, forget: () => void) {
    this.#client = client;
    this.#socket = socket;
    this.#forget = forget;
    this.#preparing = new PreparingClient(client);
  }

  async query(text: string, values: readonly unknown[]) {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      setImmediate(() => this.#socket.uncork());
    }
    try {
      return await this.#preparing.query(text, values);
    } catch (error) {
      if (this.#preparing.isBroken) {
        this.#forget();
        // What else waits on this connection would wait for its own time limit.
        this.#socket.destroy();
      }
      throw error;
    }
  }

  close(): Promise<void> {
    return endClient(this.#client, this.#socket);
  }

  /** For one query; the connection itself is never given back. */
  lend(release: () => void) {
    return {
      query: (text: string, values: readonly unknown[]) => this.query(text, values),
      release,
    };
  }
}
