import { createHash } from 'node:crypto';
import type { PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { sqlState } from './sql-state.ts';

/** Statements that a connection keeps prepared at most. */
const MAX_PREPARED = 500;

const statementNames = new Map<string, string>();

function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < MAX_PREPARED) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    statementNames.set(text, name);
  }
  return name;
}

/**
 * A connection that prepares each statement once, so that PostgreSQL parses and plans it once, and
 * that leaves the pool when it can no longer be trusted: Kysely would put it back.
 */
export class PreparingClient {
  readonly #client: pg.ClientBase & { release?: (destroy: boolean) => void };
  #broken = false;

  /** Whether a query failed in a way after which the connection cannot be trusted. */
  get isBroken(): boolean {
    return this.#broken;
  }

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<any>> {
    // The server does that itself when it loses the connection; waiting for it would hide why.
    if (this.#broken && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    try {
      const name = values.length > 0 ? statementName(text) : undefined;
      const query = { text, values: values as unknown[] };
      const result = await this.#client.query(name ? { name, ...query } : query);
      return result as PostgresQueryResult<any>;
    } catch (error) {
      const state = sqlState(error);
      if (!state || /^(?:08|57P|58|XX)/.test(state)) this.#broken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release?.(this.#broken);
  }
}
