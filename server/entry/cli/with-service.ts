import { FileExistsError } from '#server/platform/draft-file.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { ConfigError } from '#server/platform/settings/config.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError, Interruption } from './interruption.ts';
import type { Service, ServiceOptions } from './open-service.ts';

export function withService<Result>(
  failure: string,
  use: (service: Service) => Promise<Result>,
  options?: ServiceOptions,
): Promise<Result> {
  const open = async () => {
    // Loaded on demand to keep `--help` fast.
    const { openService } = await import('./open-service.ts');
    return openService(options);
  };
  return withResource(failure, open, use);
}

/**
 * Closes the resource even if `use` fails or is interrupted. `failure` is the message for
 * unexpected errors.
 */
export async function withResource<Resource extends AsyncDisposable, Result>(
  failure: string,
  open: () => Promise<Resource>,
  use: (opened: Resource) => Promise<Result>,
): Promise<Result> {
  using interruption = new Interruption();
  try {
    await using resource = await open();
    return await Promise.race([use(resource), interruption.signalled]);
  } catch (error) {
    throw toCommandError(error, failure);
  }
}

function toCommandError(error: unknown, failure: string): Error {
  if (error instanceof CommandFailedError || error instanceof InterruptedError) return error;
  if (error instanceof ConfigError || error instanceof FileExistsError)
    return new CommandFailedError(error.message);
  if (!(error instanceof RefusalError))
    return new CommandFailedError(appendCause(failure, error), { cause: error });
  const { status, message, cause } = error;
  return new CommandFailedError(status >= 500 ? appendCause(message, cause) : message, { cause });
}

function appendCause(message: string, cause: unknown): string {
  const reason =
    cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return reason ? `${message} (${reason})` : message;
}
