import {
  isDataError,
  isPermissionDenied,
  isFromServer,
  isTimeout,
  isServerUnavailable,
  isReadOnly,
  isRetryable,
} from '../sql-state.ts';

/** The message explains the failure to people. */
export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError';
}

export function explainMigration(name: string, work: () => Promise<void>): Promise<void> {
  return withExplanation(
    work,
    (why) =>
      `Migration ${name} failed, and nothing of it is left: ${why}; mend that and start again, or run the version before.`,
  );
}

export function explainPartitions(work: () => Promise<void>): Promise<void> {
  return withExplanation(
    work,
    (why) =>
      `The metric partitions of the coming months cannot be made: ${why}; mend that and start again.`,
  );
}

/** Replaces PostgreSQL errors by a readable message, except temporary and permission errors, which callers handle. */
async function withExplanation(
  work: () => Promise<void>,
  sentence: (why: string) => string,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isHandled = [isServerUnavailable, isReadOnly, isTimeout, isRetryable].some((is) =>
      is(error),
    );
    if (!isFromServer(error) || isHandled || isPermissionDenied(error)) throw error;
    throw new MigrationFailedError(sentence(`PostgreSQL says "${serverMessage(error)}"`), {
      cause: error,
    });
  }
}

/** The message of PostgreSQL; only the SQLSTATE for data errors, whose messages repeat values. */
function serverMessage(error: unknown): string {
  const { code, message, constraint } = error as Record<'code' | 'message' | 'constraint', string>;
  return isDataError(error) ? [`SQLSTATE ${code}`, constraint].filter(Boolean).join(', ') : message;
}
