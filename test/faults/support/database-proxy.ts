import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL that can simulate faults. */
export interface DatabaseProxy {
  url: string;
  /** The database URL without the proxy. */
  target: string;
  /** Open connections stop transferring data, but stay open. */
  freeze: () => void;
  /** Freezes when a client message contains this text. The message is lost. */
  freezeAt: (text: string) => void;
  /**
   * Closes the connection on a message with this text: before the message reaches the server, or
   * after the server has executed it and before the client gets the response.
   */
  cutAt: (text: string, when: 'before' | 'after') => void;
  /** Responds to the next message with this text. The server never sees the message. */
  answerAt: (text: string, answer: Buffer) => void;
  /** Runs `work` before the next message with this text is forwarded. */
  before: (text: string, work: () => Promise<unknown>) => void;
  /** Replaces text of the same length in every later client message. */
  replace: (text: string, other: string) => void;
  /** Number of chunks received from clients. */
  writes: () => number;
  /** Number of open connections. */
  size: () => number;
  close: () => Promise<void>;
}

/** Start of the ReadyForQuery message that ends each response. */
const READY = Buffer.from('Z\0\0\0\x05');

/** Splits a chunk into client messages by their type letter. The last one may be incomplete. */
function* messagesIn(chunk: Buffer): Generator<[kind: string, body: string]> {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    const end = at + 1 + chunk.readUInt32BE(at + 1);
    yield [String.fromCharCode(chunk[at]!), chunk.toString('latin1', at + 5, end)];
  }
}

/** Number of responses to expect, at least one: for each simple query and each `Sync`. */
function countResponses(chunk: Buffer): number {
  return Math.max([...messagesIn(chunk)].filter(([kind]) => /[QS]/.test(kind)).length, 1);
}

/** Prepared statements by name. A name means the same statement on every connection. */
const preparedStatements = new Map<string, string>();

/** Text of client messages, including the prepared statements that they execute by name. */
function textOf(chunk: Buffer): string {
  let words = chunk.toString('latin1');
  for (const [kind, body] of messagesIn(chunk)) {
    const [first = '', second = ''] = body.split('\0');
    if (kind === 'P' && first !== '') preparedStatements.set(first, second);
    if (kind === 'B') words += preparedStatements.get(second) ?? '';
  }
  return words;
}

function countOccurrences(text: Buffer, part: Buffer): number {
  return text.toString('latin1').split(part.toString('latin1')).length - 1;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const wires = new Set<Connection>();
  let trap:
    | { text: string; action: 'freeze' | 'before' | 'after' | Buffer | (() => Promise<unknown>) }
    | undefined;
  let writes = 0;
  let translate = (chunk: Buffer) => chunk;
  const freeze = () => {
    for (const wire of wires) wire.frozen = true;
  };
  // Half-open, so that a frozen connection does not respond to a close either.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({
      port: Number(target.port),
      host: target.hostname,
      allowHalfOpen: true,
    });
    const wire: Connection = { client, server, frozen: false, answers: Infinity };
    wires.add(wire);
    client.on('close', () => wires.delete(wire));
    client.on('data', (chunk) => {
      writes += 1;
      const words = textOf(chunk);
      if (trap && words.includes(trap.text)) {
        const { action } = trap;
        trap = undefined;
        if (action instanceof Buffer) return void client.write(action);
        if (typeof action === 'function')
          return void action().finally(() => server.write(translate(chunk)));
        if (action === 'freeze') freeze();
        if (action === 'before') return cut(wire);
        if (action === 'after') wire.answers = countResponses(chunk);
      }
      if (!wire.frozen) server.write(translate(chunk));
    });
    server.on('data', (chunk) => {
      if (wire.frozen) return;
      if (wire.answers === Infinity) return void client.write(chunk);
      wire.answers -= countOccurrences(chunk, READY);
      if (wire.answers <= 0) cut(wire);
    });
    for (const [here, there] of [
      [client, server],
      [server, client],
    ] as const) {
      here.on('error', () => {});
      here.on('end', () => {
        if (!wire.frozen) there.end();
      });
      here.on('close', () => {
        if (!wire.frozen) there.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((proxy.address() as { port: number }).port);
  return {
    url: url.href,
    target: databaseUrl,
    freeze,
    freezeAt: (text) => {
      trap = { text, action: 'freeze' };
    },
    answerAt: (text, answer) => {
      trap = { text, action: answer };
    },
    cutAt: (text, when) => {
      trap = { text, action: when };
    },
    before: (text, work) => {
      trap = { text, action: work };
    },
    replace: (text, other) => {
      translate = (chunk) =>
        Buffer.from(chunk.toString('latin1').replaceAll(text, other), 'latin1');
    },
    writes: () => writes,
    size: () => wires.size,
    close: async () => {
      for (const wire of wires) cut(wire);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

interface Connection {
  client: Socket;
  server: Socket;
  frozen: boolean;
  /** Number of responses to forward before the connection is closed. */
  answers: number;
}

function cut({ client, server }: Connection): void {
  client.destroy();
  server.destroy();
}
