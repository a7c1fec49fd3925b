import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { Line, type LineOptions, type Read } from './pipelined-connection.ts';
import { PoolExhaustedError, type PostgresOptions } from './postgres.ts';
import type { Database } from '../schema.ts';

const LOOK_MS = 250;

export type PipelinedOptions = LineOptions & Pick<PostgresOptions, 'max' | 'maxWaiting'>;

/**
 * Connects to a PostgreSQL server with a few connections that all queries share: each is sent
 * without waiting for the answers of those before it, and what is asked in one turn of the event
 * loop leaves in one write. For single statements that read: they can be sent again, and a
 * transaction needs a connection of its own.
 */
export function connectPipelined(options: PipelinedOptions): Kysely<Database> {
  const lines = new SharedLines(options);
  const client: PostgresPoolClient = {
    query: ((text: string, values: readonly unknown[]) =>
      lines.query(text, values)) as PostgresPoolClient['query'],
    release: () => {},
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        Client: pg.Client,
        end: () => lines.close(),
        connect: () => Promise.resolve(client),
      },
    }),
  });
}

/**
 * Lines that take turns. A statement that holds one up for a second, because what it reads is
 * locked, has that line to itself from then on, until it is answered fast again; all others go
 * elsewhere.
 */
class SharedLines {
  readonly #options: PipelinedOptions;
  readonly #turns: (Line | undefined)[];
  readonly #aside = new Map<string, Line>();
  readonly #all = new Set<Line>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;
  #waiting = 0;

  constructor(options: PipelinedOptions) {
    this.#options = options;
    this.#turns = Array.from({ length: options.max }, () => undefined);
    // After the event loop has taken what has arrived: it may have been busy with something else.
    this.#timer = setInterval(() => setImmediate(() => this.#look()), LOOK_MS).unref();
  }

  async query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<any>> {
    if (this.#waiting >= this.#options.maxWaiting) throw new PoolExhaustedError('too many reads');
    this.#waiting += 1;
    try {
      return await new Promise((resolve, reject) => {
        this.#send({ text, values, resolve, reject });
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#all].map((line) => line.close()));
  }

  #send(read: Read): void {
    (this.#aside.get(read.text) ?? this.#next()).send(read);
  }

  #next(): Line {
    this.#turn = (this.#turn + 1) % this.#turns.length;
    return (this.#turns[this.#turn] ??= this.#open());
  }

  #open(): Line {
    const line = new Line(this.#options, () => {
      this.#all.delete(line);
      this.#withdraw(line);
    });
    this.#all.add(line);
    return line;
  }

  #look(): void {
    for (const line of this.#turns)
      if (line?.isExpired) this.#end(line);
      else if (line?.isHeldUp && this.#all.size < 3 * this.#options.max) this.#setAside(line);
    for (const line of this.#aside.values()) if (line.isExpired || line.isFast) this.#end(line);
  }

  #setAside(line: Line): void {
    this.#withdraw(line);
    const { statement, others } = line.separate();
    if (this.#aside.has(statement)) line.leave();
    else this.#aside.set(statement, line);
    for (const read of others) this.#send(read);
  }

  #end(line: Line): void {
    this.#withdraw(line);
    line.leave();
  }

  #withdraw(line: Line): void {
    const turn = this.#turns.indexOf(line);
    if (turn >= 0) this.#turns[turn] = undefined;
    for (const [statement, aside] of this.#aside) if (aside === line) this.#aside.delete(statement);
  }
}
