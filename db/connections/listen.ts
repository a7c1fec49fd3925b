import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { endClient } from './end-client.ts';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
const BEAT_MS = 10_000;

export interface ListenOptions {
  connectionString: string;
  channel: string;
  /** Called with the payload of every notification. */
  onNotification: (payload: string) => void;
  /** Called when listening begins, and after each break of it: what was sent before was not heard. */
  onListening: () => void;
  /** Called once when listening fails or breaks off, however often it is tried again. */
  onDeaf: (error: unknown) => void;
  /** How often the connection has to prove that it lives, in milliseconds. */
  beatMs?: number;
}

/**
 * Listens on a channel of a PostgreSQL server until it is told to stop, over a connection of its
 * own that is made again whenever it is lost. Nothing that happens to it ever throws. Returns how
 * to stop.
 */
export function listen(options: ListenOptions): () => Promise<void> {
  const stopping = new AbortController();
  const ended = keepListening(options, stopping.signal);
  return () => {
    stopping.abort();
    return ended;
  };
}

async function keepListening(options: ListenOptions, signal: AbortSignal): Promise<void> {
  let delay = FIRST_RETRY_MS;
  let deaf = false;
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal, () => {
        delay = FIRST_RETRY_MS;
        deaf = false;
      });
    } catch (error) {
      if (!deaf && !signal.aborted) options.onDeaf(error);
      deaf = true;
    }
    await sleep(delay, undefined, { signal }).catch(() => {});
    delay = Math.min(delay * 2, LAST_RETRY_MS);
  }
}

/** Listens on one connection until it is lost, which it always ends with. */
async function listenOnce(
  { connectionString, channel, beatMs = BEAT_MS, ...options }: ListenOptions,
  signal: AbortSignal,
  onBeat: () => void,
): Promise<never> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    application_name: 'nameplate listener',
    connectionTimeoutMillis: 2_000,
    query_timeout: beatMs,
    stream: () => socket,
  });
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const stop = () => lose(signal.reason);
  signal.addEventListener('abort', stop);
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection ended')));
  client.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
  let beat: NodeJS.Timeout | undefined;
  try {
    await Promise.race([lost, client.connect()]);
    await Promise.race([lost, client.query(`LISTEN ${client.escapeIdentifier(channel)}`)]);
    options.onListening();
    // A listener only waits: nothing else would ever tell it that the connection died silently.
    beat = setInterval(() => void client.query('SELECT 1').then(onBeat, lose), beatMs);
    return await lost;
  } finally {
    clearInterval(beat);
    signal.removeEventListener('abort', stop);
    await endClient(client, socket);
  }
}
