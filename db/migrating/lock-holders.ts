import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

const LOOK_MS = 250;

/**
 * Tells, again and again until it is disposed of, for whose lock a connection waits, in words; seen on
 * another connection, since who waits can ask for nothing.
 */
export function watchLockHolders(
  db: Kysely<Database>,
  pid: number,
  tell: (holder: string) => void,
): Disposable {
  let isLooking = false;
  const look = async () => {
    // Where no connection is free for it, one look waits for that.
    if (isLooking) return;
    isLooking = true;
    // A look that fails is repeated later.
    const holder = await findHolder(db, pid).catch(() => undefined);
    if (holder !== undefined) tell(holder);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The process of a connection, as the server knows it. */
export async function findPid(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}

async function findHolder(db: Kysely<Database>, pid: number): Promise<string | undefined> {
  const { rows } = await sql<{ pid: number; user: string }>`
    SELECT pid, usename AS user FROM pg_stat_activity
    WHERE pid = ANY(pg_blocking_pids(${pid}))
    ORDER BY xact_start
    LIMIT 1`.execute(db);
  const [holder] = rows;
  return holder && `PostgreSQL's process ${holder.pid} (of the user ${holder.user})`;
}
