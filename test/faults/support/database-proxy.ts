import { connect, createServer, type Socket } from 'node:net';

/** A wire to a PostgreSQL server that can be damaged. */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** Database's URL without the proxy. */
  target: string;
  /** From now on the connections that exist carry nothing any more, and nobody is told. */
  freeze: () => void;
  /** Freezes as soon as a message to the server holds this text; the message is lost too. */
  freezeAt: (text: string) => void;
  /** Cuts the connection on which a message with this text comes: before it reaches the server, or after the server has done it and before its answer is back. */
  cutAt: (text: string, when: 'before' | 'after') => void;
  /** Answers the next message with this text in the place of the server, which gets nothing of it. */
  answerAt: (text: string, answer: Buffer) => void;
  /** Does something else before the next message with this text goes on to the server. */
  before: (text: string, work: () => Promise<unknown>) => void;
  /** From now on every message to the server says one text, wherever it says another of the same length. */
  replace: (text: string, other: string) => void;
  /** How often something came for the server: what is written at once comes at once. */
  writes: () => number;
  /** How many connections there are. */
  size: () => number;
  close: () => Promise<void>;
}

/** The end of every answer of the server: it is ready for the next query. */
const READY = Buffer.from('Z\0\0\0\x05');

/** The messages to the server, of which the last one may still be on its way, by the letter of their kind. */
function* messagesIn(chunk: Buffer): Generator<[kind: string, body: string]> {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    const end = at + 1 + chunk.readUInt32BE(at + 1);
    yield [String.fromCharCode(chunk[at]!), chunk.toString('latin1', at + 5, end)];
  }
}

/** How many answers messages to the server ask for, one at least: what is queried at once, and each `Sync`. */
function answersTo(chunk: Buffer): number {
  return Math.max([...messagesIn(chunk)].filter(([kind]) => /[QS]/.test(kind)).length, 1);
}

/** The texts of prepared statements by their names, each of which means the same on all connections. */
const prepared = new Map<string, string>();

/** Text of messages to the server, including the prepared statements that they call by name. */
function wordsOf(chunk: Buffer): string {
  let words = chunk.toString('latin1');
  for (const [kind, body] of messagesIn(chunk)) {
    const [first = '', second = ''] = body.split('\0');
    if (kind === 'P' && first !== '') prepared.set(first, second);
    if (kind === 'B') words += prepared.get(second) ?? '';
  }
  return words;
}

function timesIn(text: Buffer, part: Buffer): number {
  return text.toString('latin1').split(part.toString('latin1')).length - 1;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const wires = new Set<Wire>();
  let trap:
    | { text: string; action: 'freeze' | 'before' | 'after' | Buffer | (() => Promise<unknown>) }
    | undefined;
  let writes = 0;
  let translate = (chunk: Buffer) => chunk;
  const freeze = () => {
    for (const wire of wires) wire.frozen = true;
  };
  // Half open, so that a frozen wire does not answer a goodbye either.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({
      port: Number(target.port),
      host: target.hostname,
      allowHalfOpen: true,
    });
    const wire: Wire = { client, server, frozen: false, answers: Infinity };
    wires.add(wire);
    client.on('close', () => wires.delete(wire));
    client.on('data', (chunk) => {
      writes += 1;
      const words = wordsOf(chunk);
      if (trap && words.includes(trap.text)) {
        const { action } = trap;
        trap = undefined;
        if (action instanceof Buffer) return void client.write(action);
        if (typeof action === 'function')
          return void action().finally(() => server.write(translate(chunk)));
        if (action === 'freeze') freeze();
        if (action === 'before') return cut(wire);
        if (action === 'after') wire.answers = answersTo(chunk);
      }
      if (!wire.frozen) server.write(translate(chunk));
    });
    server.on('data', (chunk) => {
      if (wire.frozen) return;
      if (wire.answers === Infinity) return void client.write(chunk);
      wire.answers -= timesIn(chunk, READY);
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

interface Wire {
  client: Socket;
  server: Socket;
  frozen: boolean;
  /** Number of answers to pass on before the connection is cut. */
  answers: number;
}

function cut({ client, server }: Wire): void {
  client.destroy();
  server.destroy();
}
