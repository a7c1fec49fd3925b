import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '#db/schema.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { CALLS } from './cases.ts';
import { fill } from './world.ts';

/** The statements of one call of a query function. */
interface Sent {
  /** File, function and arguments. */
  by: string;
  statements: CompiledQuery[];
}

/** A database with rows in every table that records statements. */
export interface RecordingDatabase {
  db: Kysely<Database>;
  /** Runs every case in a transaction, passes its statements to `look`, and rolls back. */
  callAll: (look: (trx: Transaction<Database>, sent: Sent) => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}

export async function openRecordingDatabase(): Promise<RecordingDatabase> {
  const connectionString = await createPostgresDatabase('nameplate_template');
  const recorded: CompiledQuery[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
    log: ({ query }) => void recorded.push(query),
  });
  await fill(db);
  return {
    db,
    callAll: async (look) => {
      for (const { by, call } of await loadCalls()) {
        const undo = new Error('undone');
        const undone = db.transaction().execute(async (trx) => {
          recorded.length = 0;
          await call(trx);
          await look(trx, { by, statements: [...recorded] });
          throw undo;
        });
        await undone.catch((error: unknown) => {
          if (error !== undo) throw new Error(`${by} failed`, { cause: error });
        });
      }
    },
    close: () => db.destroy(),
  };
}

type Call = (trx: Transaction<Database>) => Promise<void>;

/** The files of `db/queries/` by name. */
export async function findQueryFiles(): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('../../db/queries/', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [basename(file, '.ts'), join(folder, file)]));
}

async function loadCalls(): Promise<{ by: string; call: Call }[]> {
  const calls: { by: string; call: Call }[] = [];
  const files = await findQueryFiles();
  for (const [file, ofFile] of Object.entries(CALLS)) {
    const queries = (await import(files.get(file)!)) as Record<string, Function>;
    for (const [name, lists] of Object.entries(ofFile) as [string, unknown[][]][])
      for (const list of lists)
        calls.push({
          by: `${file}: ${name}(${JSON.stringify(list).slice(1, -1)})`,
          call: async (trx) => {
            const result: unknown = await queries[name]!(trx, ...list);
            if (isGenerator(result)) while (!(await result.next()).done);
          },
        });
  }
  return calls;
}

function isGenerator(result: unknown): result is AsyncGenerator {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
