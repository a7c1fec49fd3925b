import { formatMessage, type StoredMessage } from '#contract/refusal.ts';
import { type Problem, toProblems } from '#server/platform/text/problem.ts';

export interface Alias {
  name: string;
  /** Several destinations are separated by commas. */
  destination: string;
}

/** All methods are idempotent, and throw a `ForwardingProviderError` on failure. */
export interface ForwardingProvider {
  put: (alias: Alias, signal: AbortSignal) => Promise<void>;
  /** Does nothing if the name has no alias. */
  remove: (name: string, signal: AbortSignal) => Promise<void>;
  /** Lists the enabled aliases of the mail domain, without catch-alls and patterns. */
  list: (signal: AbortSignal) => Promise<Alias[]>;
  /** Checks the credentials, and looks for catch-alls and other problems. */
  check: (signal: AbortSignal) => Promise<Problem[]>;
  /**
   * Resolves to the destinations that the provider does not store anymore. Undefined for providers
   * that store no destinations.
   */
  deleteDestinations?: (emails: readonly string[], signal: AbortSignal) => Promise<string[]>;
  /** Whether an alias can have only one destination. */
  forwardsToOne?: true;
  advice: string;
}

const CONNECTION_ADVICE =
  'Check the network connection to the provider, and FORWARDING_API_URL if you set it.';

export async function checkProvider(
  provider: ForwardingProvider,
  signal: AbortSignal,
): Promise<Problem[]> {
  try {
    return await provider.check(signal);
  } catch (error) {
    if (!(error instanceof ForwardingProviderError)) throw error;
    const advice = error.status === undefined ? CONNECTION_ADVICE : provider.advice;
    return [{ level: 'error', text: `The aliases cannot be read. ${error.message} ${advice}` }];
  }
}

/** Errors that owners may see, by their stored code. */
export const PROVIDER_ERRORS = {
  responded: 'The provider responded with {status}: {explanation}',
  respondedOnly: 'The provider responded with {status}.',
  paused: 'The provider asked us to pause.',
  canceled: 'The call was canceled.',
  timedOut: 'The request to the provider failed: timed out.',
  requestCanceled: 'The request to the provider failed: canceled.',
  tooLarge: 'The request to the provider failed: the response is too large.',
  failed: 'The request to the provider failed: {code}.',
  notJson: 'The response of the provider is not JSON.',
  unexpected: 'The response of the provider has an unexpected format.',
  notStored: 'The provider did not store {name} as requested.',
  oneDestination: 'The provider sends an address to one inbox only.',
  unconfirmed: 'Waiting for {destination} to confirm the email from Cloudflare.',
  internal: 'An internal error occurred.',
} as const;

export interface ProviderReason extends StoredMessage {
  code: keyof typeof PROVIDER_ERRORS;
}

/** The message contains no secrets. */
export class ForwardingProviderError extends Error {
  override readonly name = 'ForwardingProviderError';
  /** Logs contain the code and not the message, which may contain text from the provider. */
  readonly code: string;
  readonly reason: ProviderReason;
  readonly status: number | undefined;
  /** Do not send another request before this time. */
  readonly retryAt: Date | undefined;
  /** The request may have taken effect, or may take effect later. */
  readonly outcomeUnknown: boolean;

  constructor(
    code: string,
    reason: ProviderReason,
    options: { status?: number; retryAt?: Date | undefined; outcomeUnknown?: boolean } = {},
  ) {
    super(describeReason(reason));
    this.reason = reason;
    this.code = code;
    this.status = options.status;
    this.retryAt = options.retryAt;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

export function describeReason({ code, values = {} }: ProviderReason): string {
  return formatMessage(PROVIDER_ERRORS[code], values);
}

/** Providers may store addresses in lower case and in another order. */
export function isSameDestination(a: string | undefined, b: string): boolean {
  return a !== undefined && normalizeDestination(a) === normalizeDestination(b);
}

function normalizeDestination(destination: string): string {
  return destination
    .toLowerCase()
    .split(',')
    .map((email) => email.trim())
    .toSorted()
    .join(',');
}

export function assertStored(isStored: boolean, name: string): void {
  if (!isStored)
    throw new ForwardingProviderError('NOT_STORED', { code: 'notStored', values: { name } });
}

/** Patterns and catch-alls forward mail for names that no account has. */
export function isPatternAlias(alias: string): boolean {
  return /^$|[*/\\^$]/.test(alias);
}

export function findPatternProblems(aliases: readonly Alias[]): Problem[] {
  return aliases.flatMap(({ name, destination }) =>
    toProblems('error', {
      [`The alias ${name || '*'} forwards mail for unassigned names to ${destination}. Delete it at the provider, so that mail to unassigned names is rejected.`]:
        isPatternAlias(name),
    }),
  );
}
