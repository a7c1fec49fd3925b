/** Forwards mail from `<name>@MAIL_DOMAIN` to `destination`. */
export interface Alias {
  name: string;
  destination: string;
}

/** A problem that an operator should fix at the provider. */
export interface Finding {
  level: 'error' | 'warning';
  problem: string;
  fix: string;
}

/** All methods are idempotent, and throw a `ProviderError` on failure. */
export interface ForwardingProvider {
  /** Creates or replaces the alias. */
  put: (alias: Alias, signal: AbortSignal) => Promise<void>;
  /** Does nothing if the name has no alias. */
  remove: (name: string, signal: AbortSignal) => Promise<void>;
  /** Enabled aliases of the mail domain, without catch-alls and patterns. */
  list: (signal: AbortSignal) => Promise<Alias[]>;
  /** Checks the credentials, and looks for catch-alls and other problems. */
  check: (signal: AbortSignal) => Promise<Finding[]>;
  /**
   * Deletes destinations that no alias uses, and returns those that are gone. Undefined if the provider
   * stores no destinations apart from aliases.
   */
  deleteDestinations?: (emails: readonly string[], signal: AbortSignal) => Promise<string[]>;
  /** For the operator, if the aliases cannot be read. */
  advice: string;
}

const CONNECTION_ADVICE =
  'Check the network connection to the provider, and FORWARDING_API_URL if you set it.';

/** Returns a `ProviderError` as a finding. */
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

/** The provider refused a request or could not be reached. The message contains no secrets. */
export class ForwardingProviderError extends Error {
  override readonly name = 'ProviderError';
  /** For logs. Unlike the message, it contains no text from the provider. */
  readonly code: string;
  /** HTTP status. Undefined if there was no response. */
  readonly status: number | undefined;
  /** Do not send another request before this time. */
  readonly retryAt: Date | undefined;
  /** The request may have taken effect, or may still do so. */
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

/** Without this check, mail could go to another address than the one we sent to the provider. */
export function assertStored(isStored: boolean, name: string): void {
  if (!isStored)
    throw new ForwardingProviderError(
      'STORED_ELSE',
      `The provider did not store ${name} as requested.`,
    );
}

/** Catch-alls and patterns forward mail for names that no account has. */
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
