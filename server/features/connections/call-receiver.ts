import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Core } from '#server/core.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import { readRetryAfter } from '#server/platform/outbound/read-response.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { interpretFailure } from './kinds/answers.ts';
import type { Attempt, OpenReceiver } from './kinds/connection-kind.ts';
import type { Receivers } from './receivers.ts';

const USER_AGENT = `Nameplate/${packageJson.version} (connections)`;

/** All other errors are one, so that tests do not scan ports. */
const ERRORS_BY_CODE: Readonly<Record<string, string>> = {
  ADDRESS_NOT_PUBLIC: 'receiverPrivate',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'responseTooLarge',
};
/** Shorter secrets are redacted as whole words, because longer words may contain their letters. */
const MIN_SECRET_LENGTH = 8;
const WORD = /[\p{L}\p{N}]+/gu;

/** Posts JSON. Only 2xx is a success: redirects are not followed. */
export async function callReceiver(
  { connections, log }: Pick<Core, 'log'> & { connections: Receivers },
  { kind, accountId, url: storedUrl, secrets }: OpenReceiver,
  {
    path,
    headers,
    body,
    signal,
  }: {
    /** Replaces the path of the receiver. */
    path?: string;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  },
): Promise<Attempt> {
  const { url, authorization } = splitCredentials(storedUrl);
  try {
    const response = await connections.call({
      method: 'POST',
      url: path === undefined ? url.href : new URL(path, url).href,
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...(authorization && { authorization }),
        ...headers,
      },
      text: body,
      signal,
    });
    const { status } = response;
    const excerpt = excerptOf(response.text, [
      ...secretParts(storedUrl),
      ...secrets.flatMap(partsOfSecret),
    ]);
    const fields = { response_status: status, response: excerpt };
    if (status >= 200 && status < 300) return { outcome: 'delivered', ...fields };
    const isRedirect = status >= 300 && status < 400;
    const { outcome, retryAfterSeconds = 0 } = interpretFailure(kind, response);
    return {
      outcome,
      ...fields,
      error: { code: isRedirect ? 'receiverRedirected' : 'receiverStatus', values: { status } },
      retryAfterSeconds: Math.max(retryAfterSeconds, readRetryAfter(response.headers) ?? 0),
    };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const code = ERRORS_BY_CODE[error.code] ?? 'receiverUnreachable';
    if (code === 'receiverUnreachable')
      log.info({ code: error.code, accountId }, 'a receiver did not answer');
    return { outcome: 'failed', error: { code, values: { origin: url.origin } } };
  }
}

function splitCredentials(text: string): { url: URL; authorization?: string } {
  const url = new URL(text);
  const { username, password } = url;
  if (!username && !password) return { url };
  [url.username, url.password] = ['', ''];
  const credentials = `${decode(username)}:${decode(password)}`;
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** The parts of a URL, in the forms in which a response may repeat them. */
function secretParts(text: string): string[] {
  const { url, authorization = '' } = splitCredentials(text);
  const { username, password } = new URL(text);
  const { href, pathname, search, searchParams } = url;
  const parts = formsOf([username, password, ...pathname.split('/'), ...searchParams.values()]);
  return [
    text,
    href,
    pathname + search,
    pathname,
    authorization.slice('Basic '.length),
    ...parts,
  ].filter(({ length }) => length > 1);
}

/** A token, and the parts of the URLs that it consists of for Apprise. */
function partsOfSecret(secret: string): string[] {
  const urls = secret.split(',');
  const parts = urls.flatMap((url) => url.replace(/^[\w+.-]+:\/\//, '').split(/[/:?&=@#]+/));
  return [secret, ...formsOf([...urls, ...parts])];
}

/** The forms in which a response may repeat the parts. */
function formsOf(parts: readonly string[]): string[] {
  return parts.flatMap((part) => [part, decode(part), encodeURIComponent(decode(part))]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One line without control characters, which PostgreSQL and terminals do not take. */
function excerptOf(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const long = longestFirst.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const short = longestFirst.slice(long.length).join(' ').toLowerCase();
  const isSecret = new RegExp(long.map((secret) => RegExp.escape(secret)).join('|'), 'gi');
  const words = new Set(short.match(WORD));
  const redacted = text
    .replace(isSecret, '…')
    .replace(WORD, (word) => (words.has(word.toLowerCase()) ? '…' : word));
  return safeLine(redacted, LIMITS.responseExcerpt);
}
