import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** What is written at once. What one entry of it takes is less, or it is not kept. */
const CHUNK_BYTES = 262_144;
/** What an entry is expected to take at least: so many are remembered at most. */
const ENTRY_BYTES = 2_048;
/**
 * What the system has in memory is read in microseconds. What takes longer than this waits for a disk
 * that turns; between them are others, and that the process had to wait for a processor.
 */
const AT_ONCE_MS = 5;
/** The part of the time in which that may hold up everybody, and how long at a stretch. */
const HELD_UP = 0.05;
const HELD_UP_MS = 200;
/** Room that is left on the disk for every byte of the file. */
const LEFT_FREE = 3;
/** Of Linux: what is there is in memory. */
const TMPFS = 0x01021994;
/** A checksum of the rest, and the length of what is told about the bytes. */
const PREFIX_BYTES = 8;

/** Bytes, and what is told about them, which JSON can say. */
export interface Spilled<About> {
  about: About;
  bytes: Buffer;
}

/** Where an entry is: in a chunk, of which each takes the place of an older one in the file. */
interface Place {
  chunk: number;
  at: number;
  length: number;
}

/** Where entries are read. */
const desk = Buffer.alloc(CHUNK_BYTES);

/**
 * A bounded file for what was pushed out of memory: what was put there last is found, what is older
 * is overwritten, and what cannot be read whole is not found. It is written by a thread. It is read at
 * once, since to ask a thread takes longer than that, and left alone while its disk is slow. The file
 * has no name and is gone when it is closed, or with its process; with the first failure, too.
 */
export class SpillFile<About> {
  readonly #file: FileHandle;
  readonly #chunks: number;
  readonly #onFailure: (error: unknown) => void;
  /** In the order in which they were put there. */
  readonly #places = new Map<string, Place>();
  /** Is filled, and written when the next entry has no room in it. */
  #filling = { number: 0, bytes: Buffer.alloc(CHUNK_BYTES), length: 0 };
  #spare = Buffer.alloc(CHUNK_BYTES);
  #writing: { number: number; bytes: Buffer } | undefined;
  #patienceMs = HELD_UP_MS;
  #patienceSince = performance.now();
  #closing: Promise<void> | undefined;

  /** `onFailure` is told why nothing is found any more. */
  constructor(file: FileHandle, maxBytes: number, onFailure: (error: unknown) => void) {
    this.#file = file;
    this.#chunks = Math.max(1, Math.floor(maxBytes / CHUNK_BYTES));
    this.#onFailure = onFailure;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** How many are remembered. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether nothing is found any more. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** False if there is no room for it now, or at all. */
  set(key: string, { about, bytes }: Spilled<About>): boolean {
    if (this.isClosed) return false;
    const head = Buffer.from(JSON.stringify([key, about]));
    const length = PREFIX_BYTES + head.length + bytes.length;
    if (length > CHUNK_BYTES) return false;
    if (this.#filling.length + length > CHUNK_BYTES) {
      // The disk is slower than what comes: it can be made once more.
      if (this.#writing) return false;
      this.#writeChunk();
    }
    const { number, bytes: chunk, length: at } = this.#filling;
    chunk.writeUInt32LE(head.length, at + 4);
    head.copy(chunk, at + PREFIX_BYTES);
    bytes.copy(chunk, at + PREFIX_BYTES + head.length);
    chunk.writeUInt32LE(crc32(chunk.subarray(at + 4, at + length)), at);
    this.#filling.length += length;
    this.#places.delete(key);
    this.#places.set(key, { chunk: number, at, length });
    this.#forgetOldest((this.#chunks * CHUNK_BYTES) / ENTRY_BYTES);
    return true;
  }

  /** What was put there last under a key. */
  get(key: string): Spilled<About> | undefined {
    const place = this.#places.get(key);
    if (!place) return undefined;
    const { chunk, at, length } = place;
    for (const held of [this.#filling, this.#writing])
      if (held?.number === chunk) return parse(key, held.bytes.subarray(at, at + length));
    return this.#isSlow() ? undefined : this.#read(key, place);
  }

  /** Forgets all; the file is gone when nothing is written to it any more. */
  close(): Promise<void> {
    this.#places.clear();
    return (this.#closing ??= this.#file.close());
  }

  #read(key: string, { chunk, at, length }: Place): Spilled<About> | undefined {
    const began = performance.now();
    try {
      const bytes = readSync(this.#file.fd, desk, 0, length, this.#positionOf(chunk) + at);
      const found = bytes === length ? parse<About>(key, desk.subarray(0, length)) : undefined;
      if (!found) throw new Error('the file does not hold what was written');
      return found;
    } catch (error) {
      this.#fail(error);
      return undefined;
    } finally {
      const took = performance.now() - began;
      if (took > AT_ONCE_MS) this.#patienceMs -= took;
    }
  }

  /** Whether reads held up everybody for too long lately. */
  #isSlow(): boolean {
    const now = performance.now();
    const won = (now - this.#patienceSince) * HELD_UP;
    this.#patienceMs = Math.min(HELD_UP_MS, this.#patienceMs + won);
    this.#patienceSince = now;
    return this.#patienceMs <= 0;
  }

  #writeChunk(): void {
    const { number, bytes } = this.#filling;
    this.#writing = { number, bytes };
    this.#filling = { number: number + 1, bytes: this.#spare, length: 0 };
    for (const [key, { chunk }] of this.#places) {
      if (chunk > number - this.#chunks) break;
      this.#places.delete(key);
    }
    this.#file
      .write(bytes, 0, CHUNK_BYTES, this.#positionOf(number))
      .then(({ bytesWritten }) => {
        if (bytesWritten < CHUNK_BYTES) throw new Error('the disk took a part of what was written');
        this.#spare = bytes;
        this.#writing = undefined;
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #positionOf(chunk: number): number {
    return (chunk % this.#chunks) * CHUNK_BYTES;
  }

  /** Leaves so many at most: a part of them goes at once, since to find the oldest takes a while. */
  #forgetOldest(most: number): void {
    if (this.#places.size <= most) return;
    for (const key of this.#places.keys()) {
      this.#places.delete(key);
      if (this.#places.size < most * 0.98) return;
    }
  }

  #fail(error: unknown): void {
    if (this.isClosed) return;
    this.close().catch(() => {});
    this.#onFailure(error);
  }
}

/** What was put under a key; undefined unless it is that, whole. */
function parse<About>(key: string, entry: Buffer): Spilled<About> | undefined {
  if (entry.readUInt32LE(0) !== crc32(entry.subarray(4))) return undefined;
  const bodyAt = PREFIX_BYTES + entry.readUInt32LE(4);
  const head = entry.toString('utf8', PREFIX_BYTES, bodyAt);
  const [ofKey, about] = JSON.parse(head) as [string, About];
  if (ofKey !== key) return undefined;
  // Not what is overwritten soon.
  return { about, bytes: Buffer.copyBytesFrom(entry, bodyAt) };
}

/**
 * Makes a file without a name in the first folder that is on a disk, may be written to and has room for
 * several times as much; undefined if there is none.
 */
export async function openNameless(
  folders: readonly string[],
  maxBytes: number,
): Promise<FileHandle | undefined> {
  for (const folder of folders) {
    const file = await openIn(folder, maxBytes).catch(() => undefined);
    if (file) return file;
  }
  return undefined;
}

async function openIn(folder: string, maxBytes: number): Promise<FileHandle | undefined> {
  const { type, bavail, bsize } = await statfs(folder);
  if (type === TMPFS || bavail * bsize < maxBytes * (1 + LEFT_FREE)) return undefined;
  const path = join(folder, `nameplate-pages-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
