import {
  isDataError,
  isPermissionDenied,
  isFromServer,
  isTimeout,
  isServerUnavailable,
  isReadOnly,
  isRetryable,
} from '../sql-state.ts';

export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError';
}

export function withMigrationError(name: string, work: () => Promise<void>): Promise<void> {
  return withExplanation(
    work,
    (reason) =>
      `Migration ${name} failed and was rolled back: ${reason}. Fix the cause and start again, or run the previous version.`,
  );
}

export function withPartitionError(work: () => Promise<void>): Promise<void> {
  return withExplanation(
    work,
    (reason) =>
      `The metric partitions of the coming months cannot be created: ${reason}. Fix the cause and start again.`,
  );
}

/** Replaces PostgreSQL errors of `work` with a readable message. Callers handle temporary and permission errors themselves. */
async function withExplanation(
  work: () => Promise<void>,
  message: (reason: string) => string,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isHandledByCaller = [isServerUnavailable, isReadOnly, isTimeout, isRetryable].some(
      (matches) => matches(error),
    );
    if (!isFromServer(error) || isHandledByCaller || isPermissionDenied(error)) throw error;
    throw new MigrationFailedError(message(`PostgreSQL reported "${serverMessage(error)}"`), {
      cause: error,
    });
  }
}

/** Messages of data errors contain row values, so only their SQLSTATE is shown. */
function serverMessage(error: unknown): string {
  const { code, message, constraint } = error as Record<'code' | 'message' | 'constraint', string>;
  return isDataError(error) ? [`SQLSTATE ${code}`, constraint].filter(Boolean).join(', ') : message;
}
