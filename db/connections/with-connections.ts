import { type ConnectionProvider, Kysely, PostgresDialect, Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import type { Reads } from './databases.ts';

const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('connections come from another')),
});
/** Parts that a Kysely needs beside its executor; begins and ends transactions on any connection. */
const PARTS = { config: { dialect }, dialect, driver: dialect.createDriver() };

/** A database, or a transaction, whose statements run on connections that are provided so. */
export function withConnections<Executor extends Reads>(
  db: Executor,
  connections: ConnectionProvider,
): Executor {
  const Same = db instanceof Transaction ? Transaction : Kysely;
  const executor = db.getExecutor().withConnectionProvider(connections);
  return new Same<Database>({ ...PARTS, executor }) as Reads as Executor;
}
