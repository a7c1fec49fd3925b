import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders } from './headers.ts';

/** A page or one of its files as it was made. */
export interface Content {
  type: string;
  /** Further headers, for example a policy. */
  headers: Record<string, string>;
  /** A text is compressed for those who can read that, bytes are it by themselves. */
  body: string | Buffer;
}

/** Content in one encoding, as it is kept and sent. */
export interface Representation extends Content {
  encoding: Encoding;
  tag: string;
  body: Buffer;
}

export type Encoding = 'br' | 'gzip' | 'identity';
/** Encodings in the order of our preference. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];

/** Size above which a thread compresses: to hand over and wait takes longer than most pages do. */
const SHORT_BYTES = 65_536;

/** Brotli level for what is compressed while a client waits: higher ones save hardly a byte. */
const QUALITY = 5;

/** Compresses content for one encoding. Its tag is weak, since a proxy may compress it again. */
export async function represent(
  content: Content,
  encoding: Encoding,
  quality = QUALITY,
): Promise<Representation> {
  const { type, headers, body } = content;
  const tag = hash('sha256', body, 'base64url').slice(0, 27);
  const suffix = encoding === 'identity' ? '' : `-${encoding}`;
  return {
    type,
    headers,
    encoding,
    tag: `W/"${tag}${suffix}"`,
    body: await encode(body, encoding, quality),
  };
}

async function encode(body: string | Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return Buffer.from(body);
  const isShort = Buffer.byteLength(body) <= SHORT_BYTES && quality <= QUALITY;
  if (isShort) return trimmed(encodeNow(body, encoding, quality));
  if (encoding === 'gzip') return trimmed(await promisify(gzip)(body));
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return trimmed(await promisify(brotliCompress)(body, { params }));
}

/** Scratch buffer in which short texts become bytes; a new buffer for each would be garbage. */
const scratch = Buffer.allocUnsafeSlow(SHORT_BYTES);

function encodeNow(body: string | Buffer, encoding: Encoding, quality: number): Buffer {
  const bytes = typeof body === 'string' ? scratch.subarray(0, scratch.write(body)) : body;
  // Room for most of it: the usual one is for texts many times as long.
  const chunkSize = Math.max(1_024, bytes.length >> 1);
  if (encoding === 'gzip') return gzipSync(bytes, { chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    // A small window: preparing the usual one takes longer than compressing short texts.
    [constants.BROTLI_PARAM_LGWIN]: 16,
  };
  return brotliCompressSync(bytes, { params, chunkSize });
}

/** Without the memory behind it that was not needed. */
function trimmed(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(kept);
  return kept;
}

/** How much of memory it takes, in bytes. */
export function sizeOf({ body }: Representation): number {
  return body.length + 1_000;
}

/** Headers that clients keep with the bytes that they have, so that they need not be sent again (RFC 9110, 15.4.5). */
const KEPT_WITH_BODY = ['content-type', ...Object.keys(securityHeaders({}))].filter(
  // Whether others may have it is asked of an answer without bytes, too.
  (name) => name !== 'cross-origin-resource-policy',
);

/**
 * Whether the client has the representation already. Only `If-None-Match` decides (RFC 9110, 13.1.2):
 * Node's fetch adds `Cache-Control: no-cache` to every conditional request.
 */
function isCurrent(ifNoneMatch: string | undefined, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  const sent = ifNoneMatch?.split(',').map(opaque) ?? [];
  return sent.includes('*') || sent.includes(opaque(tag));
}

/** Sends it, or says that the client has it already. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, headers, encoding, tag, body }: Representation,
  cacheControl: string,
): FastifyReply {
  reply.headers({
    'content-type': type,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    etag: tag,
    ...headers,
  });
  if (isCurrent(request.headers['if-none-match'], tag)) {
    for (const name of KEPT_WITH_BODY) reply.removeHeader(name);
    return reply.status(304).send();
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** The encoding of texts that a client likes best. */
export function encodingOf({ headers }: FastifyRequest): Encoding {
  const accepted = headers['accept-encoding'];
  return (accepted !== undefined && negotiate(accepted, ENCODINGS)) || 'identity';
}
