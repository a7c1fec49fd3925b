import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/**
 * Runs a psql script without psql. Replaces the variables `password` and `DBNAME`, and ignores
 * meta-commands.
 */
export async function runPsqlScript(client: pg.Client, file: string): Promise<void> {
  const script = await readFile(file, 'utf8');
  await client.query(
    script
      .replaceAll(/^\\.*$/gm, '')
      .replaceAll(":'password'", "'secret'")
      .replaceAll(':"DBNAME"', client.database!),
  );
}
