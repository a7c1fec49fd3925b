import { ConfigError } from '../service/settings/config.ts';
import { RefusalError } from '../service/refusal.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError, Interruption } from './interruption.ts';

/**
 * Does something with what it opens and closes it afterwards, also when it fails or is interrupted.
 * `failure` is the sentence for a failure that nobody foresaw.
 */
export async function undertake<Opened extends AsyncDisposable, Result>(
  failure: string,
  open: () => Promise<Opened>,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  using interruption = new Interruption();
  try {
    await using opened = await open();
    return await Promise.race([use(opened), interruption.happened]);
  } catch (error) {
    throw toFailure(error, failure);
  }
}

/** Why it failed: in the words of a refusal, or by its cause, which an operator may know. */
function toFailure(error: unknown, failure: string): Error {
  if (error instanceof CommandFailedError || error instanceof InterruptedError) return error;
  if (error instanceof ConfigError) return new CommandFailedError(error.message);
  if (!(error instanceof RefusalError))
    return new CommandFailedError(withCause(failure, error), { cause: error });
  const { status, message, cause } = error;
  return new CommandFailedError(status >= 500 ? withCause(message, cause) : message, { cause });
}

function withCause(sentence: string, cause: unknown): string {
  const reason =
    cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return reason ? `${sentence} (${reason})` : sentence;
}
