import { parseFragment } from 'parse5';
import packageJson from '../../../package.json' with { type: 'json' };
import { LIMITS } from '#contract/shared/limits.ts';
import type { CoverProblem } from '#db/queries/covers.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import type { OutboundResponse } from '#server/platform/outbound/client.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { findCoverSource } from '#page/blocks/cover-source.ts';

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
  /** Tests replace the services. */
  test?: { host: string; replaceUrl: (url: URL) => URL };
}

export class CoverError extends Error {
  override readonly name = 'CoverError';
  readonly problem: CoverProblem;

  constructor(problem: CoverProblem, cause?: unknown) {
    super(`the service gave no cover: ${problem}`, { cause });
    this.problem = problem;
  }
}

/** For both requests and their redirects. */
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;
/** The tags of a page are in its head. */
const MAX_HEAD_LENGTH = 500_000;
const PICTURE_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)\b/i;

/** Calls only public addresses, because services name the addresses of pictures and redirects. */
export function createCoverFetcher({
  timeoutMs = TIMEOUT_MS,
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
      const accept = source.isOembed ? 'application/json' : 'text/html';
      const { text } = await get(source.url, accept, signal);
      const { title, picture } = source.isOembed ? readOembed(text) : readOpenGraph(text);
      if (picture === undefined) return { title, file: Buffer.alloc(0) };
      const { headers, bytes } = await get(picture, 'image/*', signal);
      const isPicture = PICTURE_TYPE.test(headers['content-type'] ?? '');
      return { title, file: isPicture ? bytes : Buffer.alloc(0) };
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

interface ServiceEntry {
  title: string | undefined;
  picture: string | undefined;
}

function readOembed(text: string): ServiceEntry {
  const entry = parseJson(text);
  if (typeof entry !== 'object' || entry === null) throw new CoverError('unreachable');
  const { title, thumbnail_url: picture } = entry as Record<string, unknown>;
  return { title: toTitle(title), picture: typeof picture === 'string' ? picture : undefined };
}

function readOpenGraph(text: string): ServiceEntry {
  const tags = new Map<string, string>();
  for (const [tag] of text.slice(0, MAX_HEAD_LENGTH).matchAll(/<meta\b[^<>]{1,4000}>/gi)) {
    const [node] = parseFragment(tag).childNodes;
    const attributes = node && 'attrs' in node ? node.attrs : [];
    const find = (name: string) => attributes.find((attribute) => attribute.name === name)?.value;
    const [property, content] = [find('property') ?? find('name'), find('content')];
    if (property && content && !tags.has(property)) tags.set(property, content);
  }
  return { title: toTitle(tags.get('og:title')), picture: tags.get('og:image') };
}

function toTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return undefined;
  const line = title.replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...line].slice(0, LIMITS.coverTitle).join('') || undefined;
}
