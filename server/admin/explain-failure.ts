import { type Config, ConfigError } from '../service/config.ts';
import { explainDatabaseFailure } from '../service/start-failure.ts';
import { RefusedError } from './client.ts';
import { BusyError } from './connect.ts';

/** Why a command was not carried out, as one sentence for people; undefined if that is a defect of ours. */
export function explainFailure(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof RefusedError || error instanceof BusyError || error instanceof ConfigError)
    return error.message;
  if (!config) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  if (config.DATABASE_URL === undefined && /^(?:ECONN.*|EPIPE)$/.test(code ?? ''))
    return 'The server stopped before it answered; what came of the command is unknown.';
  return explainDatabaseFailure(error, config);
}
