import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachToEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import { findPostmaster } from '#db/embedded/postmaster.ts';
import { startPostgres } from '#test/support/postgres-server.ts';

export interface BenchDatabase {
  /** Environment variables for the service. */
  settings: Record<string, string>;
  /** Call this only while the service is running. */
  getUrl: () => Promise<string>;
  /** Returns the process IDs of the database server. Call this only while it is running. */
  listProcesses: () => Promise<number[]>;
  /** Describes the memory of the service and its embedded database. */
  describeMemory: (server: ChildProcess) => Promise<string>;
  remove: () => Promise<void>;
}

/** Starts a PostgreSQL server with durable writes (fsync). */
export async function startPostgresServer(): Promise<BenchDatabase> {
  const postgres = await startPostgres({ durable: true });
  await postgres.createDatabase('bench');
  const url = postgres.url('bench');
  return {
    settings: { DATABASE_URL: url },
    getUrl: () => Promise.resolve(url),
    listProcesses: async () => {
      const file = await readFile(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8');
      return listFamily(Number.parseInt(file));
    },
    describeMemory: () => Promise.resolve(''),
    remove: () => postgres.stop(),
  };
}

/** Creates an empty data directory, in which the service runs its embedded database. */
export async function createEmbeddedDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
  const DATA_DIR = join(folder, 'data');
  const listProcesses = async () =>
    listFamily((await findPostmaster({ databaseFolder: join(DATA_DIR, 'postgresql-18') }))!);
  // If we are root, the database runs as another user, which needs access to the folder.
  await chmod(folder, 0o711);
  return {
    settings: { DATA_DIR },
    getUrl: async () => {
      // The service runs the database, so it does not need to be closed here.
      return (await attachToEmbeddedDatabase(DATA_DIR)).url;
    },
    listProcesses,
    describeMemory: async (server: ChildProcess) => {
      const serverMemory = await readProportionalMemory(server.pid);
      const processMemory = await Promise.all((await listProcesses()).map(readProportionalMemory));
      const databaseMemory = processMemory.reduce((sum, part) => sum + part, 0);
      return `${Math.round(serverMemory + databaseMemory)} MB (${Math.round(serverMemory)} + ${Math.round(databaseMemory)})`;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function listFamily(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ').map(Number)];
}

/** Returns the proportional set size (PSS) of a process in MiB. */
async function readProportionalMemory(pid: number | undefined): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}
