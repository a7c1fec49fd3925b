import { Socket } from 'node:net';
import type { PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { endClient } from './end-client.ts';
import { configurePlanner, lifetimeMs, type PostgresOptions, type TimeLimits } from './postgres.ts';
import { PreparingClient } from './preparing-client.ts';

/** Time without an answer after which the next statement counts as blocking those behind it. */
const PATIENCE_MS = 1_000;

/** A statement that reads, and the callbacks for its outcome. */
export interface Read {
  text: string;
  values: readonly unknown[];
  resolve: (result: PostgresQueryResult<any>) => void;
  reject: (error: Error) => void;
}

export interface PipelinedConnectionOptions extends Pick<
  PostgresOptions,
  'byIndex' | 'connectionString' | 'onError' | 'lifetimeSeconds'
> {
  timeLimits: TimeLimits;
}

/** One connection for many reads, each sent without waiting for the answers of those before it. */
export class PipelinedConnection {
  readonly #socket = new Socket();
  readonly #client: pg.Client;
  readonly #preparing: PreparingClient;
  readonly #connected: Promise<unknown>;
  readonly #onLost: () => void;
  /** Start of each read's wait, in the order in which they will be answered. */
  readonly #waiting = new Map<Read, number>();
  #expiresAt = Infinity;
  #answeredAt = 0;
  #lastTook = Infinity;
  #leaving = false;
  #closing = false;

  /** `onLost` is called when the connection ends, or could not be made. */
  constructor(options: PipelinedConnectionOptions, onLost: () => void) {
    this.#onLost = onLost;
    this.#client = new pg.Client({
      connectionString: options.connectionString,
      pipeline: true,
      keepAlive: true,
      stream: () => this.#socket,
      ...options.timeLimits,
    });
    this.#client.on('error', (error) => {
      if (!this.#closing) options.onError(error);
    });
    this.#client.on('end', onLost);
    this.#preparing = new PreparingClient(this.#client);
    this.#connected = this.#client.connect();
    this.#connected.then(() => {
      // Statements that follow on the connection wait for it, and fail as it does.
      configurePlanner(this.#client, options).catch(() => {});
      this.#expiresAt = performance.now() + lifetimeMs(options);
    }, onLost);
  }

  get isExpired(): boolean {
    return performance.now() > this.#expiresAt;
  }

  /** Whether nothing was answered for a second, although something waits. */
  get isHeldUp(): boolean {
    const [since = Infinity] = this.#waiting.values();
    return performance.now() - Math.max(since, this.#answeredAt) > PATIENCE_MS;
  }

  /** Whether the last answer took less than a second. */
  get isFast(): boolean {
    return this.#lastTook < PATIENCE_MS;
  }

  send(read: Read): void {
    this.#waiting.set(read, Infinity);
    void this.#answer(read);
  }

  async #answer(read: Read): Promise<void> {
    try {
      await this.#connected;
      this.#waiting.set(read, performance.now());
      this.#cork();
      read.resolve(await this.#preparing.query(read.text, read.values));
      this.#noteAnswer(read);
    } catch (error) {
      if (this.#noteAnswer(read)) read.reject(ownError(error));
      if (!this.#preparing.isBroken) return;
      this.#onLost();
      // Other reads on this connection would wait for their own time limit.
      this.#socket.destroy();
    }
  }

  /** Collects everything sent in one turn of the event loop into one write. */
  #cork(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }

  /** False if the read was given up before. */
  #noteAnswer(read: Read): boolean {
    const since = this.#waiting.get(read);
    this.#answeredAt = performance.now();
    if (since === undefined) return false;
    this.#lastTook = this.#answeredAt - since;
    this.#waiting.delete(read);
    if (this.#leaving && this.#waiting.size === 0) void this.close();
    return true;
  }

  /** Gives up all reads but those of the statement that is next, and returns both. */
  separate(): { statement: string; others: Read[] } {
    const [next, ...rest] = this.#waiting.keys();
    const statement = next?.text ?? '';
    const others = rest.filter((read) => read.text !== statement);
    for (const read of others) this.#waiting.delete(read);
    this.#lastTook = Infinity;
    return { statement, others };
  }

  /** Ends it when all that wait are answered; nothing may be sent any more. */
  leave(): void {
    this.#leaving = true;
    if (this.#waiting.size === 0) void this.close();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#connected.then(
      () => endClient(this.#client, this.#socket),
      () => {},
    );
  }
}

/** The driver hands one error to all that wait, and Kysely lengthens the stack of what it is handed. */
function ownError(error: unknown): Error {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return Object.assign(new Error(message), { code, syscall });
}
