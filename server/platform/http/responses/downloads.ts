import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EXPORT_REFUSALS } from '#contract/owner/account.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { findRoute } from '../contract/register-contract.ts';

/** A download keeps about a megabyte in memory, the largest metric. */
const MAX_DOWNLOADS = 100;
const MAX_PER_ACCOUNT = 2;
const SLICE_BYTES = 65_536;
/** Time for the client to read a slice: about 2 KB per second. */
const SLICE_TIMEOUT_MS = 30_000;

const refuse = createRefuser(EXPORT_REFUSALS);

/**
 * Limits responses that are read from the database or a file while they are sent. Until the first slice is
 * read, a failure is an error response. Later ones close the connection, so that the client sees that the
 * file is incomplete.
 */
export function limitDownloads(
  app: FastifyInstance,
  getShareKey: (request: FastifyRequest) => string,
): void {
  const running = new FairShare(MAX_DOWNLOADS);
  app.addHook('onRequest', (request, reply, done) => {
    if (!findRoute(request)?.metadata.fileTypes || reply.raw.destroyed) return done();
    const key = getShareKey(request);
    if (running.acquiredBy(key) >= MAX_PER_ACCOUNT)
      return done(refuse('exportInProgress', { headers: { 'retry-after': '10' } }));
    if (!running.tryAcquire(key)) return done(new OverloadedError('exports'));
    reply.raw.once('close', () => running.release(key));
    done();
  });
  // Async only for downloads, because most responses are none.
  app.addHook('onSend', ({ method }, reply, payload, done) =>
    payload instanceof Readable ? openDownload(method, payload, reply) : done(null, payload),
  );
}

async function openDownload(method: string, file: Readable, reply: FastifyReply) {
  if (method === 'HEAD') {
    file.destroy();
    return Readable.from([]);
  }
  try {
    return await startDownload(file, reply);
  } catch (error) {
    reply.removeHeader('content-disposition');
    throw error;
  }
}

async function startDownload(file: Readable, { raw: response }: FastifyReply): Promise<Readable> {
  const chunks: AsyncIterator<string | Buffer> = file[Symbol.asyncIterator]();
  const readChunk = async () => {
    const { done, value } = await chunks.next();
    return done ? undefined : Buffer.from(value as string);
  };
  const firstChunks: Buffer[] = [];
  for (let bytes = 0; bytes < SLICE_BYTES; bytes += firstChunks.at(-1)!.length) {
    const chunk = await readChunk();
    if (!chunk) break;
    firstChunks.push(chunk);
  }
  async function* readSlices() {
    let chunk: Buffer | undefined = Buffer.concat(firstChunks.splice(0));
    for (; chunk; chunk = await readChunk())
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const timer = setTimeout(() => response.destroy(), SLICE_TIMEOUT_MS);
        yield chunk.subarray(start, start + SLICE_BYTES);
        clearTimeout(timer);
      }
  }
  const download = Readable.from(readSlices(), { highWaterMark: 0 });
  return download.once('close', () => file.destroy());
}
