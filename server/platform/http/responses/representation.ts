import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredOf } from './accept.ts';
import { cacheControlFor, securityHeaders } from './headers.ts';

export interface Content {
  type: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Representation extends Content {
  encoding: Encoding;
  etag: string;
  body: Buffer;
}

export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * Larger texts are compressed in the thread pool. For most pages, handing the text over takes
 * longer than compressing it.
 */
const MAX_SYNC_BYTES = 65_536;

/** Low, because higher levels save few bytes but delay the response. */
const BROTLI_QUALITY = 5;

/** The ETag is weak, because a proxy may compress the body again. */
export async function createRepresentation(
  content: Content,
  encoding: Encoding,
): Promise<Representation> {
  const { type, headers, body } = content;
  const tag = hash('sha256', body, 'base64url').slice(0, 27);
  const suffix = encoding === 'identity' ? '' : `-${encoding}`;
  return {
    type,
    headers,
    encoding,
    etag: `W/"${tag}${suffix}"`,
    body: await encode(body, encoding),
  };
}

async function encode(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return copyToExactSize(Buffer.from(body));
  if (Buffer.byteLength(body) <= MAX_SYNC_BYTES) return copyToExactSize(encodeSync(body, encoding));
  if (encoding === 'gzip') return copyToExactSize(await promisify(gzip)(body));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return copyToExactSize(await promisify(brotliCompress)(body, { params }));
}

/** Reused, to avoid allocating a buffer for each text. */
const scratch = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES);

function encodeSync(body: string | Buffer, encoding: Encoding): Buffer {
  const bytes = typeof body === 'string' ? scratch.subarray(0, scratch.write(body)) : body;
  // The default chunk size suits much longer texts.
  const chunkSize = Math.max(1_024, bytes.length >> 1);
  if (encoding === 'gzip') return gzipSync(bytes, { chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    // A small window: preparing the default one takes longer than compressing a short text.
    [constants.BROTLI_PARAM_LGWIN]: 16,
  };
  return brotliCompressSync(bytes, { params, chunkSize });
}

/** Copies the bytes, so that the rest of the underlying buffer, often of 64 KB, can be freed. */
function copyToExactSize(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

export function memorySize({ body }: Representation): number {
  return body.length + 1_000;
}

/** Clients keep these headers with the cached body, so a 304 omits them (RFC 9110, 15.4.5). */
const HEADERS_NOT_IN_304 = ['content-type', ...Object.keys(securityHeaders({}))].filter(
  // Browsers check this header on a 304, too.
  (name) => name !== 'cross-origin-resource-policy',
);

/**
 * Considers only `If-None-Match` (RFC 9110, 13.1.2): Node's fetch adds `Cache-Control: no-cache` to
 * every conditional request.
 */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const toOpaqueTag = (text: string) => text.trim().replace(/^W\//, '');
  const sentTags = ifNoneMatch?.split(',').map(toOpaqueTag) ?? [];
  return sentTags.includes('*') || sentTags.includes(toOpaqueTag(etag));
}

export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, headers, encoding, etag, body }: Representation,
  cacheControl: string,
): FastifyReply {
  reply.headers({
    'content-type': type,
    // Here as well, because a 304 has no content type.
    'cache-control': cacheControlFor(type, cacheControl),
    // The CORS plugin has set `Origin`.
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
    etag,
    ...headers,
  });
  if (isCurrent(request.headers['if-none-match'], etag)) {
    for (const name of HEADERS_NOT_IN_304) reply.removeHeader(name);
    return reply.status(304).send();
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

export function preferredEncoding({ headers }: FastifyRequest): Encoding {
  return preferredOf<Encoding>(headers['accept-encoding'], ['br', 'gzip']) ?? 'identity';
}
