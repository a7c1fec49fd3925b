import { NameplateError } from './errors.ts';
import type { ClientOptions, Fetch } from './options.ts';

/** The settings of a client, checked and complete. */
export interface Settings extends ClientOptions {
  apiKey: string;
  baseUrl: string;
  timeout: number;
  maxRetries: number;
  fetch: Fetch;
  inBrowser: boolean;
}

/** Checks the options of a client; what is wrong is said without showing it. */
export function settingsOf(options: ClientOptions = { apiKey: undefined }): Settings {
  const { apiKey, baseUrl = 'http://127.0.0.1:3000', timeout = 30_000, maxRetries = 2 } = options;
  const inBrowser = 'window' in globalThis && 'document' in globalThis;
  if (inBrowser && !options.dangerouslyAllowBrowser)
    throw new NameplateError(
      'In a browser every visitor can read the API key. Call Nameplate from a server, or set dangerouslyAllowBrowser to true.',
    );
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new NameplateError('apiKey is required and must be visible ASCII characters.');
  checkNumbers({ timeout, maxRetries });
  return {
    ...options,
    apiKey,
    baseUrl: checkedUrl(baseUrl),
    timeout,
    maxRetries,
    // Looked up at every call, so that a global fetch replaced later is the one that is used.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    inBrowser,
  };
}

/** Refuses a time-out or a number of retries that cannot be meant. */
export function checkNumbers({
  timeout,
  maxRetries,
}: Pick<Settings, 'timeout' | 'maxRetries'>): void {
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw new NameplateError('timeout must be a positive number of milliseconds below 2^31.');
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new NameplateError('maxRetries must be 0 or a positive integer.');
}

function checkedUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  )
    throw new NameplateError(
      'baseUrl must be an http or https URL without credentials, query or fragment.',
    );
  return url.href.replace(/\/+$/, '');
}
