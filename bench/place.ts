import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '#db/embedded/postmaster.ts';
import { usePrivateDatabase } from '#db/embedded/private-database.ts';
import { startPostgres } from '#test/support/postgres-server.ts';

/** Where the data of a benchmark is. */
interface Place {
  /** Settings of the service. */
  settings: Record<string, string>;
  /** URL of the database, once the service runs. */
  url: () => Promise<string>;
  /** Memory of the service and its private database together, for people. */
  memory: (server: ChildProcess) => Promise<string>;
  remove: () => Promise<void>;
}

/** A PostgreSQL server that keeps its writes safe. */
export async function postgresServer(): Promise<Place> {
  const postgres = await startPostgres({ durable: true });
  await postgres.createDatabase('bench');
  const url = postgres.url('bench');
  return {
    settings: { DATABASE_URL: url },
    url: () => Promise.resolve(url),
    memory: () => Promise.resolve(''),
    remove: () => postgres.stop(),
  };
}

/** An empty data folder, in which the service runs its own. */
export async function privateFolder(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
  const DATA_DIR = join(folder, 'data');
  // As root the database runs as another user, who must get through.
  await chmod(folder, 0o711);
  return {
    settings: { DATA_DIR },
    url: async () => {
      // The service runs it and outlives its use here.
      const database = await usePrivateDatabase({ dataDir: DATA_DIR, say: () => {}, make: false });
      return database.url;
    },
    memory: async (server: ChildProcess) => {
      const pid = await findPostmaster({ database: join(DATA_DIR, 'postgresql-18') });
      const ours = await share(server.pid);
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
      const parts = await Promise.all([pid, ...children.trim().split(' ').map(Number)].map(share));
      const database = parts.reduce((sum, part) => sum + part, 0);
      return `${Math.round(ours + database)} MB (${Math.round(ours)} + ${Math.round(database)})`;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Memory of a process in megabytes, what it shares with others divided among them. */
async function share(pid: number | undefined): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}
