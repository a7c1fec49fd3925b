import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import {
  PipelinedConnection,
  type PipelinedConnectionOptions,
  type Read,
} from './pipelined-connection.ts';
import type { PostgresOptions } from './postgres.ts';
import type { Database } from '../schema.ts';

const LOOK_MS = 250;

export type PipelinedOptions = PipelinedConnectionOptions & Pick<PostgresOptions, 'max'>;

/**
 * Connects to a PostgreSQL server with a few connections that all queries share: each query is sent
 * without waiting for earlier answers, and all queries of one turn of the event loop leave in one
 * write. Only for single statements that read, because they can be sent again and a transaction needs
 * a connection of its own.
 */
export function connectPipelined(options: PipelinedOptions): Kysely<Database> {
  const connections = new PipelinedConnections(options);
  const client: PostgresPoolClient = {
    query: ((text: string, values: readonly unknown[]) =>
      connections.query(text, values)) as PostgresPoolClient['query'],
    release: () => {},
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        Client: pg.Client,
        end: () => connections.close(),
        connect: () => Promise.resolve(client),
      },
    }),
  });
}

/**
 * Connections that are used in turn. A statement that blocks one for a second, because the rows that
 * it reads are locked, is quarantined: it keeps that connection to itself until it is answered fast
 * again, and all others use another one.
 */
class PipelinedConnections {
  readonly #options: PipelinedOptions;
  readonly #turns: (PipelinedConnection | undefined)[];
  readonly #quarantined = new Map<string, PipelinedConnection>();
  readonly #all = new Set<PipelinedConnection>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  constructor(options: PipelinedOptions) {
    this.#options = options;
    this.#turns = Array.from({ length: options.max }, () => undefined);
    // After the event loop has taken what has arrived: it may have been busy with something else.
    this.#timer = setInterval(() => setImmediate(() => this.#look()), LOOK_MS).unref();
  }

  query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<any>> {
    return new Promise((resolve, reject) => {
      this.#send({ text, values, resolve, reject });
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  #send(read: Read): void {
    (this.#quarantined.get(read.text) ?? this.#next()).send(read);
  }

  #next(): PipelinedConnection {
    this.#turn = (this.#turn + 1) % this.#turns.length;
    return (this.#turns[this.#turn] ??= this.#open());
  }

  #open(): PipelinedConnection {
    const connection = new PipelinedConnection(this.#options, () => {
      this.#all.delete(connection);
      this.#withdraw(connection);
    });
    this.#all.add(connection);
    return connection;
  }

  #look(): void {
    for (const connection of this.#turns)
      if (connection?.isExpired) this.#end(connection);
      else if (connection?.isHeldUp && this.#all.size < 3 * this.#options.max)
        this.#quarantine(connection);
    for (const connection of this.#quarantined.values())
      if (connection.isExpired || connection.isFast) this.#end(connection);
  }

  #quarantine(connection: PipelinedConnection): void {
    this.#withdraw(connection);
    const { statement, others } = connection.separate();
    if (this.#quarantined.has(statement)) connection.leave();
    else this.#quarantined.set(statement, connection);
    for (const read of others) this.#send(read);
  }

  #end(connection: PipelinedConnection): void {
    this.#withdraw(connection);
    connection.leave();
  }

  #withdraw(connection: PipelinedConnection): void {
    const turn = this.#turns.indexOf(connection);
    if (turn >= 0) this.#turns[turn] = undefined;
    for (const [statement, quarantined] of this.#quarantined)
      if (quarantined === connection) this.#quarantined.delete(statement);
  }
}
