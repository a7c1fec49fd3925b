import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { DecodedPicture, DecoderResult } from './decoded-picture.ts';

const refuse = createRefuser(PICTURE_FILE_REFUSALS);

const WAIT_TIMEOUT_MS = 30_000;
/**
 * Kills a decoder that hangs. The decoder itself limits its CPU time, which does not grow on a busy
 * machine.
 */
const DECODE_TIMEOUT_MS = 60_000;
/** An idle decoder process is killed after this, to free its memory. */
const IDLE_TIMEOUT_MS = 30_000;

const decodeQueue = new FairQueue({
  gate: 'uploads',
  maxRunning: 1,
  maxWaiting: 20,
  waitTimeoutMs: WAIT_TIMEOUT_MS,
});

let decoder: ChildProcess | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Decodes in a child process without secrets in its environment. A malicious file can crash or
 * block only that process.
 */
export function decodePicture(accountId: string, file: Buffer): Promise<DecodedPicture> {
  return decodeQueue.run(accountId, async () => {
    clearTimeout(idleTimer);
    decoder ??= startDecoder();
    const result = await runDecoder(decoder, file);
    if (!result) {
      killDecoder();
      throw refuse('pictureTooComplex');
    }
    idleTimer = setTimeout(killDecoder, IDLE_TIMEOUT_MS).unref();
    if ('refusal' in result) throw refuse(result.refusal);
    if ('failure' in result) throw new Error(result.failure);
    return result.picture;
  });
}

/**
 * Resolves to undefined after a timeout, or if a signal ended the process, for example in a crash.
 */
async function runDecoder(child: ChildProcess, file: Buffer): Promise<DecoderResult | undefined> {
  const finished = new AbortController();
  const timer = setTimeout(() => finished.abort(), DECODE_TIMEOUT_MS);
  const received = once(child, 'message', finished);
  const exited = once(child, 'exit', finished).then(([code]) => {
    if (code !== null) throw new Error(`The picture decoder exited with ${String(code)}.`);
    return [undefined];
  });
  try {
    child.send(file, () => {});
    const [result] = await Promise.race([received, exited]);
    return result as DecoderResult | undefined;
  } catch (error) {
    if (finished.signal.aborted) return undefined;
    killDecoder();
    throw error;
  } finally {
    clearTimeout(timer);
    finished.abort();
  }
}

function startDecoder(): ChildProcess {
  const child = fork(new URL('./decoder-process.ts', import.meta.url), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  child.on('error', killDecoder);
  child.on('exit', () => {
    if (decoder === child) decoder = undefined;
  });
  return child;
}

function killDecoder(): void {
  decoder?.kill('SIGKILL');
  decoder = undefined;
}
