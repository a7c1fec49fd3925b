import type { Writable } from 'node:stream';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { isBroken, isStatementLost } from '../sql-state.ts';
import { nameStatement, STATEMENTS } from './statements.ts';

/** Statements that a connection keeps prepared at most. */
const MAX_PREPARED = 500;

const statementNames = new Map<string, string>();

function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < MAX_PREPARED) {
    name = nameStatement(text);
    statementNames.set(text, name);
  }
  return name;
}

/**
 * A connection that prepares each statement once, so that PostgreSQL parses and plans it once, sends
 * together what is asked for together, a transaction's begin with its first statement, and leaves the
 * pool when it can no longer be trusted: Kysely would put it back.
 */
export class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.ClientBase & { release?: (destroy: boolean) => void };
  /** By name: on their way to be prepared, or known to be. */
  readonly #statements = new Map<string, 'sent' | 'prepared'>();
  #prepares = true;
  /** Whether a transaction begins with the next statement. */
  #begins = false;
  /** From its begin on: what the driver knows of it is as old as the last answer. */
  #inTransaction = false;
  #broken = false;

  /** Whether a query failed in a way after which the connection cannot be trusted. */
  get isBroken(): boolean {
    return this.#broken;
  }

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  /** Kysely's type has cursors, too. */
  query<R>(cursor: PostgresCursor<R>): never;
  async query(text: any, values: readonly unknown[] = []): Promise<PostgresQueryResult<any>> {
    // The server does that itself when it loses the connection; waiting for it would hide why.
    if (this.#broken && text.startsWith('rollback')) return nothing('ROLLBACK');
    if (text === 'begin') {
      this.#begins = true;
      this.#inTransaction = true;
      return nothing('BEGIN');
    }
    if (text === 'commit' || text === 'rollback') this.#inTransaction = false;
    if (this.#begins && (text === 'commit' || text === 'rollback')) {
      this.#begins = false;
      return nothing(text.toUpperCase());
    }
    try {
      return await STATEMENTS.tracePromise(() => this.#send(text, values as unknown[]), { text });
    } catch (error) {
      if (isBroken(error)) this.#broken = true;
      throw error;
    }
  }

  release(destroy = false): void {
    this.#client.release?.(destroy || this.#broken);
  }

  async #send(text: string, values: unknown[]): Promise<any> {
    const name = this.#prepares && values.length > 0 ? statementName(text) : undefined;
    const state = name && this.#statements.get(name);
    // Preparing a statement may fail: until it has succeeded, repeats are sent unprepared.
    if (!name || state === 'sent') return this.#pass({ text, values });
    if (!state) this.#statements.set(name, 'sent');
    try {
      const result = await this.#pass({ name, text, values });
      if (!state) this.#statements.set(name, 'prepared');
      return result;
    } catch (error) {
      if (!state) this.#statements.delete(name);
      if (!isStatementLost(error)) throw error;
      // A pooler gives our session to others, or a column has changed its type.
      this.#prepares = false;
      if (this.#inTransaction || this.#client.getTransactionStatus() !== 'I') throw error;
      return this.#pass({ text, values });
    }
  }

  #pass(query: { name?: string; text: string; values: unknown[] }): Promise<any> {
    this.#cork();
    if (!this.#begins) return this.#client.query(query);
    this.#begins = false;
    return beginWith(this.#client, query);
  }

  /** Collects everything that is sent in this turn into one write. */
  #cork(): void {
    const { stream } = (this.#client as unknown as { connection: { stream: Writable } }).connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}

/**
 * Begins a transaction with its first statement, which is not done if it cannot be begun: the server
 * takes both for one, up to the next `Sync`.
 */
async function beginWith(
  client: pg.ClientBase,
  { text, values, ...named }: { name?: string; text: string; values: unknown[] },
): Promise<any> {
  if (values.length === 0) return lastOf(await client.query(`begin; ${text}`));
  // The types know it without a callback alone.
  const send = client.query.bind(client) as unknown as (
    query: pg.Query,
    callback: (error: Error | null, results: unknown) => void,
  ) => void;
  const result = await new Promise((resolve, reject) => {
    const query = new pg.Query({ text, values, ...named });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      connection.parse({ name: '', text: 'begin', types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
      submit(connection);
    };
    send(query, (error, results) => (error ? reject(error) : resolve(results)));
  });
  return lastOf(result);
}

/** Returns the last of several results. */
function lastOf(results: unknown): unknown {
  return Array.isArray(results) ? results.at(-1) : results;
}

/** Result of a command that had nothing to do. */
function nothing(command: string): PostgresQueryResult<never> {
  return { command, rowCount: 0, rows: [] } as unknown as PostgresQueryResult<never>;
}
