import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/** What is sent for a page or one of its files, as it is kept. */
export interface Representation {
  type: string;
  /** Further headers, for example a policy. */
  headers: Record<string, string>;
  tag: string;
  identity: Buffer;
  /** Compressed, where that makes it smaller. */
  gzip?: Buffer;
  br?: Buffer;
}

type Encoding = 'br' | 'gzip' | 'identity';
/** Those that are equally welcome in the order of ours. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];

/** Brotli's, of 11: takes the time of a render once, since what is kept is sent many times. */
const QUALITY = 6;

/** Prepares a text to be sent, compressed in every way that a client may ask for. */
export async function compressed(
  type: string,
  text: string,
  headers: Record<string, string> = {},
  quality = QUALITY,
): Promise<Representation> {
  const identity = Buffer.from(text);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(identity),
  ]);
  return { type, headers, tag: tagOf(identity), identity, br, gzip: gz };
}

/** Prepares what is compressed by itself, like pictures and fonts. */
export function uncompressed(
  type: string,
  identity: Buffer,
  headers: Record<string, string> = {},
): Representation {
  return { type, headers, tag: tagOf(identity), identity };
}

/** How much of memory it takes, in bytes. */
export function sizeOf({ identity, br, gzip: gz }: Representation): number {
  return identity.length + (br?.length ?? 0) + (gz?.length ?? 0) + 1_000;
}

/** Sends it in the encoding that the client likes best, or says that the client has it already. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  cacheControl: string,
): FastifyReply {
  const encoding = encodingOf(request, representation);
  const tag = `"${representation.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  reply.headers({
    'content-type': representation.type,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    etag: tag,
    ...representation.headers,
  });
  if (fresh(request.headers, { etag: tag })) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(representation[encoding]);
}

function encodingOf({ headers }: FastifyRequest, { br }: Representation): Encoding {
  const accepted = headers['accept-encoding'];
  if (!br || accepted === undefined) return 'identity';
  return negotiate(accepted, ENCODINGS) ?? 'identity';
}

function tagOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, 27);
}
