export interface Alias {
  name: string;
  destination: string;
}

export interface Finding {
  level: 'error' | 'warning';
  problem: string;
  fix: string;
}

/** All methods are idempotent, and throw a `ForwardingProviderError` on failure. */
export interface ForwardingProvider {
  put: (alias: Alias, signal: AbortSignal) => Promise<void>;
  /** Does nothing if the name has no alias. */
  remove: (name: string, signal: AbortSignal) => Promise<void>;
  /** Lists the enabled aliases of the mail domain, without catch-alls and patterns. */
  list: (signal: AbortSignal) => Promise<Alias[]>;
  /** Checks the credentials, and looks for catch-alls and other problems. */
  check: (signal: AbortSignal) => Promise<Finding[]>;
  /**
   * Resolves to the destinations that the provider does not store anymore. Undefined for providers
   * that store no destinations.
   */
  deleteDestinations?: (emails: readonly string[], signal: AbortSignal) => Promise<string[]>;
  advice: string;
}

const CONNECTION_ADVICE =
  'Check the network connection to the provider, and FORWARDING_API_URL if you set it.';

export async function checkProvider(
  provider: ForwardingProvider,
  signal: AbortSignal,
): Promise<Finding[]> {
  try {
    return await provider.check(signal);
  } catch (error) {
    if (!(error instanceof ForwardingProviderError)) throw error;
    const problem = `The aliases cannot be read. ${error.message}`;
    return [
      {
        level: 'error',
        problem,
        fix: error.status === undefined ? CONNECTION_ADVICE : provider.advice,
      },
    ];
  }
}

/** The message contains no secrets. */
export class ForwardingProviderError extends Error {
  override readonly name = 'ForwardingProviderError';
  /** Logs contain the code and not the message, which may contain text from the provider. */
  readonly code: string;
  readonly status: number | undefined;
  /** Do not send another request before this time. */
  readonly retryAt: Date | undefined;
  /** The request may have taken effect, or may take effect later. */
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

export function describeProviderError(error: unknown): string {
  return error instanceof ForwardingProviderError ? error.message : 'An internal error occurred.';
}

export function assertStored(isStored: boolean, name: string): void {
  if (!isStored)
    throw new ForwardingProviderError(
      'STORED_ELSE',
      `The provider did not store ${name} as requested.`,
    );
}

/** Patterns and catch-alls forward mail for names that no account has. */
export function isPatternAlias(alias: string): boolean {
  return /^$|[*/\\^$]/.test(alias);
}

export function patternFindings(aliases: readonly Alias[]): Finding[] {
  return aliases
    .filter(({ name }) => isPatternAlias(name))
    .map(({ name, destination }) => ({
      level: 'error',
      problem: `The alias ${name === '' ? '*' : name} forwards mail for unassigned names to ${destination}.`,
      fix: 'Delete it at the provider, so that mail to unassigned names is rejected.',
    }));
}
