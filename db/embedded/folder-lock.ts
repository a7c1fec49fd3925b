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

export type Lock =
  | { acquired: true; release: () => Promise<void> }
  | { acquired: false; heldBy: LockHolder };

/**
 * The lock is a listening socket: the system closes it when the process ends, and it works across
 * containers that share the folder but not their pids. The path plus 11 bytes must fit into the
 * system's limit for socket paths. `findAddress` runs whenever another process queries the holder.
 */
export async function tryLock(
  path: string,
  purpose: string,
  findAddress: () => string | undefined = () => undefined,
): Promise<Lock> {
  const server = createServer((socket) => {
    const holder: LockHolder = { pid: process.pid, purpose, address: findAddress() };
    socket.on('error', () => {}).end(JSON.stringify(holder));
  });
  if (process.platform === 'win32') return listenOnPipe(server, path);
  const tempPath = `${path}.${randomUUID().slice(0, 8)}`;
  server.listen(tempPath);
  await once(server, 'listening');
  server.unref();
  try {
    await chmod(tempPath, 0o600);
    const heldBy = await claimPath(path, tempPath);
    if (!heldBy) return { acquired: true, release: () => releasePath(server, path) };
    server.close();
    return { acquired: false, heldBy };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(tempPath, { force: true });
  }
}

async function releasePath(server: Server, path: string): Promise<void> {
  // Remove the path before closing: afterwards it may belong to another process.
  await rm(path, { force: true });
  server.close();
}

/** Returns the process that holds the path, or undefined if the path now leads to our socket. */
async function claimPath(path: string, tempPath: string): Promise<LockHolder | undefined> {
  while (!(await tryLink(tempPath, path))) {
    const holder = await findHolder(path);
    if (holder) return holder;
    if (await takeOver(tempPath, path)) return undefined;
  }
  return undefined;
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
  const lock = await tryLock(`${path}.t`, 'takeover');
  if (!lock.acquired) {
    await sleep(RETRY_MS);
    return false;
  }
  try {
    if (await findHolder(path)) return false;
    await rename(tempPath, path);
    return true;
  } finally {
    await lock.release();
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
async function listenOnPipe(server: Server, path: string): Promise<Lock> {
  const name = `\\\\.\\pipe\\nameplate-${createHash('sha256').update(path).digest('hex')}`;
  try {
    server.listen(name);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return { acquired: false, heldBy: (await findHolder(name)) ?? {} };
  }
  server.unref();
  return { acquired: true, release: async () => void server.close() };
}
