import { isSameOrSubdomain } from '../forwarding/allowed-domains.ts';
import { IMPORT_HOSTS } from '#contract/shared/import-hosts.ts';
import { PAGE_IMPORT_REFUSALS } from '#contract/owner/page-import.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import type { Translator } from '#translations/translator.ts';
import { createRefuser } from '#server/platform/refusal.ts';

export interface PageFetcher {
  parseUrl: (text: string) => URL | undefined;
  fetch: (url: URL) => Promise<string>;
  close: () => Promise<void>;
}

export interface PageFetcherOptions extends Pick<PublicClientOptions, 'ca' | 'lookup'> {
  testHost?: string;
  timeoutMs?: number;
}

const TIMEOUT_MS = 8_000;
/** The largest known pages are about 0.5 MB. */
const MAX_PAGE_BYTES = 2 * 1_048_576;

const HEADERS = {
  accept: 'text/html',
  // A compressed page could expand to any size.
  'accept-encoding': 'identity',
  'accept-language': 'en',
  'user-agent': `Nameplate/${packageJson.version} (import of one's own page)`,
};

const refuse = createRefuser(PAGE_IMPORT_REFUSALS);

export function createPageFetcher({
  testHost,
  timeoutMs = TIMEOUT_MS,
  ...options
}: PageFetcherOptions = {}): PageFetcher {
  const isAllowed = (host: string) => host === testHost || isSameOrSubdomain(host, IMPORT_HOSTS);
  const client = createPublicClient({
    ...options,
    maxResponseBytes: MAX_PAGE_BYTES,
    isHostAllowed: isAllowed,
    isLoopbackAllowed: (hostname) => testHost?.startsWith(`${hostname}:`) ?? false,
  });
  return {
    parseUrl: (text) => parsePageUrl(text, isAllowed),
    fetch: async ({ href: url, host, pathname }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const failed = (reason: (t: Translator) => string, cause?: unknown) =>
        refuse('importFailed', { reason, cause });
      const { status, headers, text } = await client
        .call({ method: 'GET', url, headers: HEADERS, signal })
        .catch((error: unknown) => {
          if (!(error instanceof CallError)) throw error;
          throw failed((t) => describeFailure(error, host, t), error);
        });
      if (status === 404 || status === 410)
        throw refuse('importPageNotFound', { address: host + pathname });
      if (status >= 300 && status < 400) throw failed((t) => t('it redirects to another address'));
      if (status !== 200)
        throw failed((t) => t('{host} responded with {status}', { host, status }));
      const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i;
      if (!isHtml.test(headers['content-type'] ?? '') || headers['content-encoding'])
        throw failed((t) => t('it is not a web page'));
      return text;
    },
    close: () => client.close(),
  };
}

/** Completes “The page could not be read:”. */
function describeFailure({ code }: CallError, host: string, t: Translator): string {
  if (code === 'TimeoutError') return t('it did not respond in time');
  return code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
    ? t('it is too large')
    : t('{host} could not be reached', { host });
}

function parsePageUrl(text: string, isAllowed: (host: string) => boolean): URL | undefined {
  const input = text.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(input) ? input : `https://${input}`);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // All supported services redirect to https.
  url.protocol = 'https:';
  const hasNoCredentials = url.username === '' && url.password === '';
  return hasNoCredentials && isAllowed(url.host) ? url : undefined;
}
