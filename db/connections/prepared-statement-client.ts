import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isConnectionBroken, isPreparedStatementInvalid } from '../sql-state.ts';

/** Of one connection. */
const MAX_PREPARED = 500;
/** Starts a statement whose text depends on a request, so that such texts do not use up the limit. */
export const NOT_PREPARED = '/* not prepared */';

/**
 * Prepares each statement once per connection, so that PostgreSQL does not parse it every time.
 * Also removes broken connections from the pool, because Kysely would reuse them.
 */
export class PreparedStatementClient implements PostgresPoolClient {
  readonly #client: pg.ClientBase & { release?: (destroy: boolean) => void };
  /** By text. */
  readonly #names = new Map<string, string>();
  /** State by name: `sent` until the first execution has succeeded. */
  readonly #statements = new Map<string, 'sent' | 'prepared'>();
  #prepares = true;
  /** Set before BEGIN is sent, because the driver learns the state only from the response. */
  #inTransaction = false;
  #broken = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): never;
  async query(text: any, values: readonly unknown[] = []): Promise<PostgresQueryResult<any>> {
    // PostgreSQL rolls back when the connection is lost. Sending ROLLBACK would hide the original
    // error.
    if (this.#broken && text.startsWith('rollback'))
      return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    if (text === 'begin') this.#inTransaction = true;
    if (text === 'commit' || text === 'rollback') this.#inTransaction = false;
    try {
      return await this.#send(text, values as unknown[]);
    } catch (error) {
      if (isConnectionBroken(error)) this.#broken = true;
      throw error;
    }
  }

  release(destroy = false): void {
    this.#client.release?.(destroy || this.#broken);
  }

  async #send(text: string, values: unknown[]): Promise<any> {
    const name = this.#prepares && values.length > 0 ? this.#nameStatement(text) : undefined;
    const state = name && this.#statements.get(name);
    // Preparing may fail, so send this statement unprepared until the first execution has succeeded.
    if (!name || state === 'sent') return this.#client.query({ text, values });
    if (!state) this.#statements.set(name, 'sent');
    try {
      const result = await this.#client.query({ name, text, values });
      if (!state) this.#statements.set(name, 'prepared');
      return result;
    } catch (error) {
      if (!state) this.#statements.delete(name);
      if (!isPreparedStatementInvalid(error)) throw error;
      // A pooler shares the session with other clients, or a column type has changed.
      this.#prepares = false;
      if (this.#inTransaction || this.#client.getTransactionStatus() !== 'I') throw error;
      return this.#client.query({ text, values });
    }
  }

  #nameStatement(text: string): string | undefined {
    if (text.startsWith(NOT_PREPARED)) return undefined;
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < MAX_PREPARED) {
      name = createHash('sha256').update(text).digest('base64url');
      this.#names.set(text, name);
    }
    return name;
  }
}
