import type { Logger } from 'pino';
import { MigrationBlockedError } from '#db/migrating/migration-lock.ts';
import { withRetries } from '#db/retry.ts';
import { isTimeout, isServerUnavailable, isReadOnly } from '#db/sql-state.ts';
import type { Config } from '../platform/settings/config.ts';
import { explainDatabaseFailure } from '../platform/settings/start-failure.ts';

const MAX_RETRY_MS = 30_000;

/**
 * Retries `attempt` while the database is unreachable, read-only or busy. Throws any other error.
 * `onWait` gets a message for the operator before each pause.
 */
export function retryUntilDatabaseReady(
  attempt: () => Promise<void>,
  {
    config,
    logger,
    onWait,
  }: { config: Config; logger: Pick<Logger, 'warn'>; onWait: (message: string) => void },
): Promise<void> {
  return withRetries(attempt, {
    maxAttempts: Infinity,
    delayMs: (failed) => Math.min(1_000 * 2 ** (failed - 1), MAX_RETRY_MS),
    isRetryable: (error) =>
      [isServerUnavailable, isReadOnly, isTimeout].some((matches) => matches(error)) ||
      error instanceof MigrationBlockedError,
    onRetry: ({ error, delayMs }) => {
      const problem = explainDatabaseFailure(error, config) ?? 'The database is busy.';
      logger.warn({ problem }, 'the database cannot be used yet');
      onWait(`${problem} Retrying in ${delayMs / 1_000} s.`);
    },
  });
}
