import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/** A page or one of its files as it was made. */
export interface Content {
  type: string;
  /** Further headers, for example a policy. */
  headers: Record<string, string>;
  /** A text is compressed for those who can read that, bytes are it by themselves. */
  body: string | Buffer;
}

/** The same in one encoding, as it is kept and sent. */
export interface Representation extends Content {
  encoding: Encoding;
  tag: string;
  body: Buffer;
}

export type Encoding = 'br' | 'gzip' | 'identity';
/** Those that are equally welcome in the order of ours. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];

/** What is longer is compressed by a thread: to hand over and wait takes longer than most pages do. */
const SHORT_BYTES = 65_536;

/** Brotli's, of 11: what is made with a higher one is hardly smaller, and takes much longer. */
const QUALITY = 5;

/** Brings what was made into an encoding. */
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
    tag: `"${tag}${suffix}"`,
    body: await encode(Buffer.from(body), encoding, quality),
  };
}

async function encode(bytes: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  const isQuick = bytes.length <= SHORT_BYTES && quality <= QUALITY;
  if (encoding === 'gzip') return trimmed(isQuick ? gzipSync(bytes) : await promisify(gzip)(bytes));
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      // Of the size of what is short: to prepare the usual one takes longer.
      ...(isQuick && { [constants.BROTLI_PARAM_LGWIN]: 16 }),
    },
  };
  return trimmed(
    isQuick ? brotliCompressSync(bytes, options) : await promisify(brotliCompress)(bytes, options),
  );
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
  if (fresh(request.headers, { etag: tag })) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** The encoding of texts that a client likes best. */
export function encodingOf({ headers }: FastifyRequest): Encoding {
  const accepted = headers['accept-encoding'];
  return (accepted !== undefined && negotiate(accepted, ENCODINGS)) || 'identity';
}
