import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, link, rename, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 20;
/** A process that is stopped or busy accepts a connection and says nothing. */
const ANSWER_MS = 1_000;

/** Who holds a lock. */
export interface Holder {
  /** Undefined if the holder lives but does not say. */
  pid?: number;
  /** Purpose of the lock. */
  purpose?: string;
  /** Where it listens, if it is a server that listens already. */
  address?: string | undefined;
}

/** Another living process holds the lock. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
  readonly holder: Holder;

  constructor(holder: Holder) {
    super('the lock is held by another process');
    this.holder = holder;
  }
}

/**
 * Takes a lock that is a listening socket, and returns how to let go of it. The system closes the
 * socket of a process that ends in whatever way, so a lock never outlives its holder; and it answers
 * across containers that share the folder, where process ids mean nothing. The path must be short
 * enough for a socket, with room for a UUID. `findAddress` is asked whenever somebody asks the holder.
 */
export async function acquireLock(
  path: string,
  purpose: string,
  findAddress: () => string | undefined = () => undefined,
): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    const answer: Holder = { pid: process.pid, purpose, address: findAddress() };
    socket.on('error', () => {}).end(JSON.stringify(answer));
  });
  if (process.platform === 'win32') return listenOnPipe(server, path);
  const draft = `${path}.${randomUUID().slice(0, 8)}`;
  server.listen(draft);
  await once(server, 'listening');
  server.unref();
  const release = async () => {
    // First: from here on another may have the path.
    await rm(path, { force: true });
    server.close();
  };
  try {
    await chmod(draft, 0o600);
    for (;;) {
      if (await placed(draft, path)) return release;
      const holder = await findHolder(path);
      if (holder) throw new LockedError(holder);
      if (await takeOver(draft, path)) return release;
    }
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function placed(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces the socket of a dead process, unless another process does. Only who holds the lock of the
 * lock may replace it, so nobody can take away what another has just taken over.
 */
async function takeOver(draft: string, path: string): Promise<boolean> {
  let release;
  try {
    release = await acquireLock(`${path}.t`, 'takeover');
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    await sleep(RETRY_MS);
    return false;
  }
  try {
    if (await findHolder(path)) return false;
    await rename(draft, path);
    return true;
  } finally {
    await release();
  }
}

/** Who holds a lock; undefined if nobody does. */
async function findHolder(path: string): Promise<Holder | undefined> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return await heardFrom(socket);
  } catch (error) {
    // A reset is from one who lets go just now.
    if (/^(?:ENOENT|ECONNREFUSED|ECONNRESET)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

async function heardFrom(socket: ReturnType<typeof createConnection>): Promise<Holder> {
  const silence = setTimeout(() => socket.destroy(), ANSWER_MS);
  try {
    return JSON.parse(await text(socket)) as Holder;
  } catch {
    return {};
  } finally {
    clearTimeout(silence);
  }
}

/** On Windows the name of a pipe belongs to one process and goes with it. */
async function listenOnPipe(server: Server, path: string): Promise<() => Promise<void>> {
  const name = `\\\\.\\pipe\\nameplate-${createHash('sha256').update(path).digest('hex')}`;
  try {
    server.listen(name);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new LockedError((await findHolder(name)) ?? {});
  }
  server.unref();
  return async () => void server.close();
}
