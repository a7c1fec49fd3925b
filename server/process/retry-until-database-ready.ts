import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MigrationBlockedError } from '#db/migrating/migration-lock.ts';
import { isTimeout, isServerUnavailable, isReadOnly } from '#db/sql-state.ts';
import type { Config } from '../settings/config.ts';
import { explainDatabaseFailure } from '../settings/start-failure.ts';

const MAX_RETRY_MS = 30_000;

/**
 * Retries `attempt` while the database is unreachable, read-only or busy. Throws any other error.
 * `onWait` gets a message for the operator before each pause.
 */
export async function retryUntilDatabaseReady(
  attempt: () => Promise<void>,
  {
    config,
    logger,
    onWait,
  }: { config: Config; logger: Pick<Logger, 'warn'>; onWait: (message: string) => void },
): Promise<void> {
  for (let delayMs = 1_000; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS))
    try {
      return await attempt();
    } catch (error) {
      const isTemporary =
        [isServerUnavailable, isReadOnly, isTimeout].some((matches) => matches(error)) ||
        error instanceof MigrationBlockedError;
      if (!isTemporary) throw error;
      const problem = explainDatabaseFailure(error, config) ?? 'The database is busy.';
      logger.warn({ problem }, 'the database cannot be used yet');
      onWait(`${problem} Retrying in ${delayMs / 1_000} s.`);
      await sleep(delayMs);
    }
}
