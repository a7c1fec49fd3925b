import {
  isAboutValues,
  isForbidden,
  isFromServer,
  isHeldUp,
  isOutOfReach,
  isReadOnly,
  isRetryable,
} from '../sql-state.ts';

/** The schema could not be brought up to date; the message says why, for people. */
export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError';
}

/** Says which migration failed. */
export function explainMigration(name: string, work: () => Promise<void>): Promise<void> {
  return explained(
    work,
    (why) =>
      `Migration ${name} failed, and nothing of it is left: ${why}; mend that and start again, or run the version before.`,
  );
}

/** Says that it is the coming months' metric partitions that failed. */
export function explainPartitions(work: () => Promise<void>): Promise<void> {
  return explained(
    work,
    (why) =>
      `The metric partitions of the coming months cannot be made: ${why}; mend that and start again.`,
  );
}

/** A sentence instead of what PostgreSQL answered, where that is not a matter of the moment or of rights. */
async function explained(
  work: () => Promise<void>,
  sentence: (why: string) => string,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const passes = [isOutOfReach, isReadOnly, isHeldUp, isRetryable].some((is) => is(error));
    if (!isFromServer(error) || passes || isForbidden(error)) throw error;
    throw new MigrationFailedError(sentence(`PostgreSQL says "${saying(error)}"`), {
      cause: error,
    });
  }
}

/** PostgreSQL's words, but for those about rows, which repeat what is in them. */
function saying(error: unknown): string {
  const { code, message, constraint } = error as Record<'code' | 'message' | 'constraint', string>;
  return isAboutValues(error)
    ? [`SQLSTATE ${code}`, constraint].filter(Boolean).join(', ')
    : message;
}
