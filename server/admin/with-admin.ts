import { type Config, loadConfig } from '../service/config.ts';
import type { AdminClient } from './client.ts';

/** A command was not carried out, and its message says all that there is to say. */
export class CommandFailedError extends Error {}

/** Runs a command on the database that the settings name. */
export async function withAdmin<Result>(
  use: (admin: AdminClient) => Promise<Result>,
  options: { migrated?: boolean } = {},
): Promise<Result> {
  // Loaded when they are needed: help does not wait for databases.
  const [{ connect }, { explainFailure }] = await Promise.all([
    import('./connect.ts'),
    import('./explain-failure.ts'),
  ]);
  let config: Config | undefined;
  try {
    config = loadConfig(process.env);
    const { admin, close } = await connect(config, options);
    try {
      return await use(admin);
    } finally {
      await close();
    }
  } catch (error) {
    const sentence = explainFailure(error, config);
    throw sentence === undefined ? error : new CommandFailedError(sentence, { cause: error });
  }
}
