import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, link, rename, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 20;
/** A stopped or busy process accepts connections but does not respond. */
const RESPONSE_TIMEOUT_MS = 1_000;

export interface LockHolder {
  /** Undefined if the process does not respond. */
  pid?: number;
  purpose?: string;
  /** URL of the server, once it listens. */
  address?: string | undefined;
}

export class LockedError extends Error {
  override readonly name = 'LockedError';
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super('the lock is held by another process');
    this.holder = holder;
  }
}

/**
 * Acquires a lock and returns a function that releases it. The lock is a listening socket: the
 * system closes it when the process ends, and it works across containers that share the folder but
 * not their pids. The path plus 11 bytes must fit into the system's limit for socket paths.
 * `findAddress` runs whenever another process queries the holder.
 */
export async function acquireLock(
  path: string,
  purpose: string,
  findAddress: () => string | undefined = () => undefined,
): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    const holder: LockHolder = { pid: process.pid, purpose, address: findAddress() };
    socket.on('error', () => {}).end(JSON.stringify(holder));
  });
  if (process.platform === 'win32') return listenOnPipe(server, path);
  const tempPath = `${path}.${randomUUID().slice(0, 8)}`;
  server.listen(tempPath);
  await once(server, 'listening');
  server.unref();
  const release = async () => {
    // Remove the path before closing: afterwards it may belong to another process.
    await rm(path, { force: true });
    server.close();
  };
  try {
    await chmod(tempPath, 0o600);
    for (;;) {
      if (await tryLink(tempPath, path)) return release;
      const holder = await findHolder(path);
      if (holder) throw new LockedError(holder);
      if (await takeOver(tempPath, path)) return release;
    }
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(tempPath, { force: true });
  }
}

async function tryLink(tempPath: string, path: string): Promise<boolean> {
  try {
    await link(tempPath, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the socket of a dead process. A second lock ensures that only one process does so. */
async function takeOver(tempPath: string, path: string): Promise<boolean> {
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
    await rename(tempPath, path);
    return true;
  } finally {
    await release();
  }
}

/** Returns undefined if the lock is free. */
async function findHolder(path: string): Promise<LockHolder | undefined> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return await readHolder(socket);
  } catch (error) {
    // ECONNRESET: the holder is releasing the lock.
    if (/^(?:ENOENT|ECONNREFUSED|ECONNRESET)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

async function readHolder(socket: ReturnType<typeof createConnection>): Promise<LockHolder> {
  const timeout = setTimeout(() => socket.destroy(), RESPONSE_TIMEOUT_MS);
  try {
    return JSON.parse(await text(socket)) as LockHolder;
  } catch {
    return {};
  } finally {
    clearTimeout(timeout);
  }
}

/** Windows removes the pipe when its process ends. */
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
