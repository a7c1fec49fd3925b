import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/shared/limits.ts';
import { FairShare } from './fair-share.ts';
import { type Gate, OverloadedError } from './overloaded-error.ts';

export interface InFlightBytesLimit {
  gate: Gate;
  totalBytes: number;
  /** Fastify rejects larger bodies. */
  maxBodyBytes: number;
}

/** 32 MiB of JSON text, which takes about six times as much memory when parsed. */
const JSON_LIMIT: InFlightBytesLimit = {
  gate: 'bytes',
  totalBytes: 33_554_432,
  maxBodyBytes: LIMITS.bodyBytes,
};
/** 64 MiB. Uploaded pictures stay in memory until they are decoded. */
export const UPLOAD_LIMIT: InFlightBytesLimit = {
  gate: 'upload-bytes',
  totalBytes: 67_108_864,
  maxBodyBytes: LIMITS.pictureBytes,
};
const ESTIMATED_HEADER_BYTES = 4_096;

interface InFlightBytesOptions {
  getShareKey: (request: FastifyRequest) => string;
  registerGauge?: ((readBytes: () => number) => void) | undefined;
}

/**
 * Over the limit, requests are rejected before their body is read, and successful GET responses are
 * replaced with an overload error.
 */
export function limitInFlightBytes(
  app: FastifyInstance,
  { getShareKey, registerGauge }: InFlightBytesOptions,
  { gate, totalBytes, maxBodyBytes }: InFlightBytesLimit = JSON_LIMIT,
): void {
  const bytes = new FairShare(totalBytes);
  registerGauge?.(() => bytes.totalAcquired);
  app.addHook('onRequest', (request, reply, done) => {
    // The client has disconnected during authentication, so nothing would release its bytes.
    if (reply.raw.destroyed) return done();
    const shareKey = getShareKey(request);
    const requestBytes = ESTIMATED_HEADER_BYTES + estimateBodyBytes(request, maxBodyBytes);
    if (!bytes.tryAcquire(shareKey, requestBytes)) return done(new OverloadedError(gate));
    request.inFlightBytes = requestBytes;
    reply.raw.once('close', () => bytes.release(shareKey, request.inFlightBytes));
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // 0 means that the request was rejected before its bytes were counted. After the client has
    // disconnected, nothing would release bytes again.
    const isCounted = request.inFlightBytes > 0 && !reply.raw.destroyed;
    if (!isCounted || typeof payload !== 'string') return done(null, payload);
    if (bytes.tryAcquire(getShareKey(request), payload.length))
      request.inFlightBytes += payload.length;
    // Responses to writes are always sent, because the write has already taken effect.
    else if (request.method === 'GET' && reply.statusCode === 200)
      return done(new OverloadedError(gate));
    done(null, payload);
  });
}

function estimateBodyBytes({ headers }: FastifyRequest, maxBodyBytes: number): number {
  // The size of a chunked body is not known in advance.
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes;
  return Math.min(Number(headers['content-length'] ?? 0), maxBodyBytes);
}
