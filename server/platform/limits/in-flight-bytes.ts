import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FairShare } from './fair-share.ts';
import { type Gate, OverloadedError } from './overloaded-error.ts';

export interface InFlightBytesLimit {
  gate: Gate;
  totalBytes: number;
}

/** 32 MiB of JSON text, which takes about six times as much memory when parsed. */
const JSON_LIMIT: InFlightBytesLimit = { gate: 'bytes', totalBytes: 33_554_432 };
/** 64 MiB. Uploaded pictures stay in memory until they are decoded. */
export const UPLOAD_LIMIT: InFlightBytesLimit = { gate: 'upload-bytes', totalBytes: 67_108_864 };
/**
 * The first bytes of each request are not counted: the number of connections bounds them. So logins
 * and usual calls never wait for the bytes of others.
 */
const FREE_BYTES = 16_384;
const MAX_SHARE = 1 / 4;
/** What a chunk of one byte takes in memory. */
const MIN_CHUNK_BYTES = 256;

interface InFlightBytesOptions {
  getShareKey: (request: FastifyRequest) => string;
  registerGauge?: ((readBytes: () => number) => void) | undefined;
}

/**
 * Counts bytes of bodies when they arrive, and those of responses when they are sent, until the
 * response is closed (docs/limits.md#in-flight). Above the limit, reading a body ends with an
 * overload error, which also replaces successful GET responses.
 */
export function limitInFlightBytes(
  app: FastifyInstance,
  { getShareKey, registerGauge }: InFlightBytesOptions,
  { gate, totalBytes }: InFlightBytesLimit = JSON_LIMIT,
): void {
  const counted = new FairShare(totalBytes, totalBytes * MAX_SHARE);
  registerGauge?.(() => counted.totalAcquired);
  const tryAdd = (request: FastifyRequest, reply: FastifyReply, bytes: number): boolean => {
    // The client has disconnected, so nothing would release the bytes.
    if (reply.raw.destroyed) return true;
    const before = countedBytes(request);
    const added = Math.max(0, request.inFlightBytes + bytes - FREE_BYTES) - before;
    if (added > 0) {
      // Once, because a body may arrive in thousands of chunks.
      const key = (request.inFlightKey ??= getShareKey(request));
      if (!counted.tryAcquire(key, added)) return false;
      if (before === 0) reply.raw.once('close', () => counted.release(key, countedBytes(request)));
    }
    request.inFlightBytes += bytes;
    return true;
  };
  app.addHook('preParsing', (request, reply, body, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': framing } = request.headers;
    if (framing === undefined && Number(length) <= FREE_BYTES) {
      request.inFlightBytes = Number(length);
      return done(null, body);
    }
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, callback) =>
        tryAdd(request, reply, Math.max(chunk.length, MIN_CHUNK_BYTES))
          ? callback(null, chunk)
          : callback(new OverloadedError(gate)),
    });
    body.once('error', (error) => counter.destroy(error)).pipe(counter);
    done(null, counter);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isTooMuch = typeof payload === 'string' && !tryAdd(request, reply, payload.length);
    // Responses to writes are always sent, because the write has already taken effect.
    if (isTooMuch && request.method === 'GET' && reply.statusCode === 200)
      done(new OverloadedError(gate));
    else done(null, payload);
  });
}

function countedBytes({ inFlightBytes }: FastifyRequest): number {
  return Math.max(0, inFlightBytes - FREE_BYTES);
}
