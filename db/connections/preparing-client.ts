import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
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
 * A connection that prepares each statement once, so that PostgreSQL parses and plans it once. A
 * broken connection is removed from the pool, because Kysely would put it back.
 */
export class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.ClientBase & { release?: (destroy: boolean) => void };
  /** By name: on their way to be prepared, or known to be. */
  readonly #statements = new Map<string, 'sent' | 'prepared'>();
  #prepares = true;
  /** From its begin on: what the driver knows of it is as old as the last answer. */
  #inTransaction = false;
  #broken = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  /** Kysely's type has cursors, too. */
  query<R>(cursor: PostgresCursor<R>): never;
  async query(text: any, values: readonly unknown[] = []): Promise<PostgresQueryResult<any>> {
    // The server does that itself when it loses the connection; waiting for it would hide why.
    if (this.#broken && text.startsWith('rollback')) return nothing('ROLLBACK');
    if (text === 'begin') this.#inTransaction = true;
    if (text === 'commit' || text === 'rollback') this.#inTransaction = false;
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
    if (!name || state === 'sent') return this.#client.query({ text, values });
    if (!state) this.#statements.set(name, 'sent');
    try {
      const result = await this.#client.query({ name, text, values });
      if (!state) this.#statements.set(name, 'prepared');
      return result;
    } catch (error) {
      if (!state) this.#statements.delete(name);
      if (!isStatementLost(error)) throw error;
      // A pooler gives our session to others, or a column has changed its type.
      this.#prepares = false;
      if (this.#inTransaction || this.#client.getTransactionStatus() !== 'I') throw error;
      return this.#client.query({ text, values });
    }
  }
}

/** Result of a command that had nothing to do. */
function nothing(command: string): PostgresQueryResult<never> {
  return { command, rowCount: 0, rows: [] } as unknown as PostgresQueryResult<never>;
}
