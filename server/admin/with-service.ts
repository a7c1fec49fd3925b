import { ConfigError } from '../service/config.ts';
import { RefusalError } from '../service/refusal.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError, Interruption } from './interruption.ts';
import type { Service, ServiceOptions } from './open-service.ts';

/**
 * Does something with what the settings name and closes it afterwards, also when it fails or is
 * interrupted. `failure` is the sentence for a failure that nobody foresaw.
 */
export async function withService<Result>(
  failure: string,
  use: (service: Service) => Promise<Result>,
  options?: ServiceOptions,
): Promise<Result> {
  using interruption = new Interruption();
  try {
    // Loaded when it is needed: help does not wait for databases.
    const { openService } = await import('./open-service.ts');
    await using service = await openService(options);
    return await Promise.race([use(service), interruption.happened]);
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
