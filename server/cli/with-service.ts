import type { Service, ServiceOptions } from './open-service.ts';
import { ConfigError } from '../settings/config.ts';
import { RefusalError } from '../refusal.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError, Interruption } from './interruption.ts';

/** Opens the service by the settings, migrates its database, and closes it after `use`. */
export function withService<Result>(
  failure: string,
  use: (service: Service) => Promise<Result>,
  options?: ServiceOptions,
): Promise<Result> {
  const open = async () => {
    // Loaded late so that `--help` is fast.
    const { openService } = await import('./open-service.ts');
    return openService(options);
  };
  return withOpened(failure, open, use);
}

/** Closes what it opened even if `use` fails or is interrupted. `failure` describes unexpected errors. */
export async function withOpened<Opened extends AsyncDisposable, Result>(
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
