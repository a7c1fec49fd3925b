import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Runs a script for `psql` that makes a role, as psql would: with a password, in the database of the client. */
export async function runScript(client: pg.Client, file: string): Promise<void> {
  const script = await readFile(file, 'utf8');
  await client.query(
    script
      .replaceAll(/^\\.*$/gm, '')
      .replaceAll(":'password'", "'secret'")
      .replaceAll(':"DBNAME"', client.database!),
  );
}
