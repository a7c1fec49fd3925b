import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { CoverRow } from '#db/queries/covers.ts';
import { findCoverSource } from '#page/blocks/cover-source.ts';
import type { OutboundResponse } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import packageJson from '../../../package.json' with { type: 'json' };

export interface CoverFetcher {
  /** Throws a `CoverError`. `file` is empty if the service has no picture. */
  find: (address: string, signal: AbortSignal) => Promise<ServiceCover>;
  close: () => Promise<void>;
}

interface ServiceCover {
  title: string | undefined;
  file: Buffer;
}

export interface CoverFetcherOptions extends Pick<PublicClientOptions, 'ca' | 'lookup'> {
  timeoutMs?: number;
  /** Of the pages. Vimeo asks for it if a film may be embedded only on certain domains. */
  pagesUrl?: string | undefined;
  /** Tests replace the services. */
  test?: { host: string; replaceUrl: (url: URL) => URL };
}

export class CoverError extends Error {
  override readonly name = 'CoverError';
  readonly problem: CoverRow['state'];

  constructor(problem: CoverRow['state'], cause?: unknown) {
    super(`the service gave no cover: ${problem}`, { cause });
    this.problem = problem;
  }
}

/** For both requests and their redirects. */
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;
const PICTURE_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)\b/i;

/** Calls only public addresses, because services name the addresses of pictures and redirects. */
export function createCoverFetcher({
  timeoutMs = TIMEOUT_MS,
  pagesUrl,
  test,
  ...options
}: CoverFetcherOptions = {}): CoverFetcher {
  const client = createPublicClient({
    ...options,
    maxResponseBytes: LIMITS.pictureBytes,
    isHostAllowed: () => true,
    isLoopbackAllowed: (hostname) => test?.host.startsWith(`${hostname}:`) ?? false,
  });
  const get = async (address: string, accept: string, signal: AbortSignal) => {
    let url = URL.parse(address);
    for (let count = 0; count <= MAX_REDIRECTS; count++) {
      if (url?.protocol !== 'https:' || url.port !== '') throw new CoverError('no_cover');
      const { href } = test?.replaceUrl(url) ?? url;
      const headers = {
        accept,
        // A compressed response could expand to any size.
        'accept-encoding': 'identity',
        'user-agent': `Nameplate/${packageJson.version} (cover of a link)`,
        ...(pagesUrl && url.hostname === 'vimeo.com' && { referer: pagesUrl }),
      };
      const response = await client
        .call({ method: 'GET', url: href, headers, signal })
        .catch((error: unknown) => {
          throw toCoverError(error);
        });
      const { location } = response.headers;
      if (!location || response.status < 300 || response.status >= 400)
        return checkStatus(response);
      url = URL.parse(location, url.href);
    }
    throw new CoverError('unreachable');
  };
  return {
    find: async (address, jobSignal) => {
      const source = findCoverSource(address);
      if (!source) throw new CoverError('no_cover');
      const signal = AbortSignal.any([jobSignal, AbortSignal.timeout(timeoutMs)]);
      const entry = parseJson((await get(source, 'application/json', signal)).text);
      if (typeof entry !== 'object' || entry === null) throw new CoverError('unreachable');
      const { title, thumbnail_url: picture } = entry as Record<string, unknown>;
      const found = { title: toTitle(title), file: Buffer.alloc(0) };
      if (typeof picture !== 'string') return found;
      const { headers, bytes } = await get(picture, 'image/*', signal);
      const isPicture = PICTURE_TYPE.test(headers['content-type'] ?? '');
      return isPicture ? { ...found, file: bytes } : found;
    },
    close: () => client.close(),
  };
}

function toCoverError(error: unknown): unknown {
  if (!(error instanceof CallError)) return error;
  const isTooLarge = error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
  return new CoverError(isTooLarge ? 'no_cover' : 'unreachable', error);
}

/** Services respond with 400 to 404 to unknown and private addresses. */
function checkStatus(response: OutboundResponse): OutboundResponse {
  if (response.status === 200) return response;
  throw new CoverError(
    response.status >= 400 && response.status < 411 ? 'not_found' : 'unreachable',
  );
}

function toTitle(title: unknown): string | undefined {
  return typeof title === 'string' ? safeLine(title, LIMITS.coverTitle) || undefined : undefined;
}
