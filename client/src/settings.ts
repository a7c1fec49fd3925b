import { NameplateError } from './errors.ts';
import type { Logger } from './logger.ts';
import type { ClientOptions, Fetch } from './options.ts';

/** Validated options with defaults. */
export interface Settings extends ClientOptions {
  apiKey: Exclude<ClientOptions['apiKey'], undefined>;
  baseUrl: string;
  timeout: number;
  maxRetries: number;
  fetch: Fetch;
  isInBrowser: boolean;
}

/** Validates the options of a client. Error messages do not contain the values, which may be secret. */
export function resolveSettings(options: ClientOptions): Settings {
  const {
    apiKey = readEnvironment('API_KEY'),
    baseUrl = readEnvironment('BASE_URL') ?? 'http://127.0.0.1:3000',
    timeout = 30_000,
    maxRetries = 2,
  } = options;
  const isInBrowser = isBrowser();
  if (isInBrowser && apiKey !== null && !options.dangerouslyAllowBrowser)
    throw new NameplateError(
      'In a browser every visitor can read the API key. Call Nameplate from a server, or set dangerouslyAllowBrowser to true.',
    );
  checkNumbers({ timeout, maxRetries });
  return {
    ...options,
    apiKey: apiKey === null || typeof apiKey === 'function' ? apiKey : validateKey(apiKey),
    baseUrl: validateUrl(baseUrl),
    timeout,
    maxRetries,
    logger: options.logger ?? createEnvironmentLogger(),
    // Looks up the global fetch at every call, so that replacing it later works.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    isInBrowser,
  };
}

export function checkNumbers({
  timeout,
  maxRetries,
}: Pick<Settings, 'timeout' | 'maxRetries'>): void {
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw new NameplateError('timeout must be a positive number of milliseconds below 2^31.');
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new NameplateError('maxRetries must be 0 or a positive integer.');
}

/** Rejects invalid keys here, because an error of `fetch` could contain the key. */
export function validateKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new NameplateError(
      'apiKey (or NAMEPLATE_API_KEY) is required and must be visible ASCII characters.',
    );
  return apiKey;
}

function validateUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  )
    throw new NameplateError(
      'baseUrl (or NAMEPLATE_BASE_URL) must be an http or https URL without credentials, query or fragment.',
    );
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Logs to standard error, because programs may print results to standard output. */
function createEnvironmentLogger(): Logger | undefined {
  const level = readEnvironment('LOG');
  const log = console.error;
  return level === 'debug'
    ? { debug: log, warn: log }
    : level === 'warn'
      ? { warn: log }
      : undefined;
}

// An empty variable counts as unset. Deno throws if the program may not read the environment.
function readEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[`NAMEPLATE_${name}`]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

// A web worker has neither window nor document, but every browser's user agent begins with Mozilla.
function isBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return (
    ('window' in globalThis && 'document' in globalThis) ||
    navigator?.userAgent?.startsWith('Mozilla/') === true
  );
}
