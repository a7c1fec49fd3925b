/** Mail to `<name>@{mail_domain}` goes to `destination`. */
export interface Alias {
  name: string;
  destination: string;
}

/** Something that an operator should know about the provider's set-up. */
export interface Finding {
  level: 'error' | 'warning';
  problem: string;
  /** Advice for the reader. */
  fix: string;
}

/**
 * A mail forwarding provider. Every call may be repeated, and gives up when the signal is aborted.
 * What fails throws a `ProviderError`.
 */
export interface Provider {
  /** Makes mail to the name go to the destination, and nowhere else. */
  put: (alias: Alias, signal: AbortSignal) => Promise<void>;
  /** Makes mail to the name go nowhere; a name without an alias is fine. */
  remove: (name: string, signal: AbortSignal) => Promise<void>;
  /** Every alias of the mail domain that forwards, catch-alls and patterns excepted. */
  list: (signal: AbortSignal) => Promise<Alias[]>;
  /** Looks for what defeats the rules about names. */
  check: (signal: AbortSignal) => Promise<Finding[]>;
  /**
   * Makes the provider forget destinations that nothing forwards to; returns those that it does not
   * know any more. Only where a provider knows destinations beside aliases.
   */
  discard?: (emails: readonly string[], signal: AbortSignal) => Promise<string[]>;
  /** Advice when nothing can be read. */
  advice: string;
}

const UNREACHED = 'Check that this machine reaches the provider, and its base URL if you set one.';

/** Proves the credentials and looks for what defeats the rules about names. */
export async function checkProvider(provider: Provider, signal: AbortSignal): Promise<Finding[]> {
  try {
    return await provider.check(signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const problem = `The aliases cannot be read. ${error.message}`;
    return [
      { level: 'error', problem, fix: error.status === undefined ? UNREACHED : provider.advice },
    ];
  }
}

/** A provider refused, or could not be asked. The message holds no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Code for the log: unlike the message it repeats nothing. */
  readonly code: string;
  /** The provider's HTTP status; undefined if it gave no answer. */
  readonly status: number | undefined;
  /** Not before this time may the provider be asked again. */
  readonly retryAt: Date | undefined;
  /** Whether the call may have taken effect, or may still do so. */
  readonly outcomeUnknown: boolean;

  constructor(
    code: string,
    message: string,
    options: { status?: number; retryAt?: Date | undefined; outcomeUnknown?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.status = options.status;
    this.retryAt = options.retryAt;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** One sentence about a call that failed. */
export function explainProviderFailure(error: unknown): string {
  return error instanceof ProviderError ? error.message : 'Nameplate itself failed.';
}

/** Refuses an answer that does not say what was asked for: mail might go to somebody else. */
export function confirm(agreed: boolean, name: string): void {
  if (!agreed)
    throw new ProviderError('STORED_ELSE', `The provider stored something else for ${name}.`);
}

/** Whether an alias is a catch-all or a pattern, which takes the mail of names that nobody has. */
export function isPattern(alias: string): boolean {
  return /^$|[*/\\^$]/.test(alias);
}

/** The finding about aliases that take the mail of names that nobody has. */
export function patternFindings(aliases: readonly Alias[]): Finding[] {
  return aliases
    .filter(({ name }) => isPattern(name))
    .map(({ name, destination }) => ({
      level: 'error',
      problem: `The alias ${name === '' ? '*' : name} sends mail of names that nobody has to ${destination}.`,
      fix: 'Delete it at the provider, so that mail to such names is refused.',
    }));
}
