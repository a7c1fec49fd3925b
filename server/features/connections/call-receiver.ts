import { LIMITS } from '#contract/shared/limits.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import { readRetryAfter } from '#server/platform/outbound/read-response.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Attempt } from './kinds/connection-kind.ts';
import type { Receivers } from './receivers.ts';

const USER_AGENT = `Nameplate/${packageJson.version} (connections)`;

const ERRORS_BY_CODE: Readonly<Record<string, string>> = {
  TimeoutError: 'receiverTimedOut',
  ADDRESS_NOT_PUBLIC: 'receiverPrivate',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'responseTooLarge',
};

/** Posts JSON. Only 2xx is a success: redirects are not followed. */
export async function callReceiver(
  { receivers }: { receivers: Receivers },
  {
    url,
    headers,
    body,
    secrets,
    signal,
  }: {
    url: string;
    headers: Record<string, string>;
    body: string;
    /** Removed from the response. */
    secrets: readonly string[];
    signal: AbortSignal;
  },
): Promise<Attempt> {
  try {
    const response = await receivers.call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      text: body,
      signal,
    });
    const { status } = response;
    const excerpt = excerptOf(response.text, [url, ...secrets]);
    const fields = { response_status: status, response: excerpt };
    if (status >= 200 && status < 300) return { outcome: 'delivered', ...fields };
    const isRedirect = status >= 300 && status < 400;
    return {
      outcome: status === 410 ? 'gone' : 'failed',
      ...fields,
      error: { code: isRedirect ? 'receiverRedirected' : 'receiverStatus', values: { status } },
      retryAfterSeconds: readRetryAfter(response.headers),
    };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const code = ERRORS_BY_CODE[error.code];
    return {
      outcome: 'failed',
      error: code
        ? { code, values: { origin: new URL(url).origin } }
        : { code: 'receiverUnreachable', values: { code: error.code } },
    };
  }
}

/** One line without control characters, which PostgreSQL and terminals do not take. */
function excerptOf(text: string, secrets: readonly string[]): string {
  const redacted = secrets.reduce((result, secret) => result.replaceAll(secret, '…'), text);
  const line = redacted.replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...line].slice(0, LIMITS.responseExcerpt).join('');
}
