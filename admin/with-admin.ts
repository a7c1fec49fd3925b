import { type Config, ConfigError, loadConfig } from '../server/config.ts';
import { explainDatabaseFailure } from '../server/start-failure.ts';
import { type AdminClient, RefusedError } from './client.ts';
import { BusyError, connect } from './connect.ts';

/** A command was not carried out, and its message says all that there is to say. */
export class CommandFailedError extends Error {}

/** Runs a command on the database that the settings name. */
export async function withAdmin<Result>(
  use: (admin: AdminClient) => Promise<Result>,
  options: { migrated?: boolean } = {},
): Promise<Result> {
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
    const sentence = explain(error, config);
    throw sentence === undefined ? error : new CommandFailedError(sentence, { cause: error });
  }
}

function explain(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof RefusedError || error instanceof BusyError || error instanceof ConfigError)
    return error.message;
  if (!config) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  if (config.DATABASE_URL === undefined && /^(?:ECONN.*|EPIPE)$/.test(code ?? ''))
    return 'The server stopped before it answered; what came of the command is unknown.';
  return explainDatabaseFailure(error, config);
}
