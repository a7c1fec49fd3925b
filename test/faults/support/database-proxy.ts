import { connect, createServer, type Socket } from 'node:net';
import { listen } from '#test/support/listen.ts';

/** A TCP proxy in front of PostgreSQL that can simulate faults. */
export interface DatabaseProxy {
  url: string;
  /** The database URL without the proxy. */
  target: string;
  /** Open connections stop transferring data, but stay open. */
  freeze: () => void;
  /** Freezes all connections when a client message contains this text. The message is lost. */
  freezeAt: (text: string) => void;
  /**
   * Closes the connection on a message with this text: before the message reaches the server, or
   * after the server has executed it and before the client gets the response.
   */
  cutAt: (text: string, when: 'before' | 'after') => void;
  /** Responds to the next message with this text. The server never sees the message. */
  respondAt: (text: string, response: Buffer) => void;
  /** Replaces text in every later client message. Both texts must have the same length. */
  replace: (text: string, replacement: string) => void;
  /** Number of open connections. */
  size: () => number;
  close: () => Promise<void>;
}

/** Start of the ReadyForQuery message that ends each response. */
const READY = Buffer.from('Z\0\0\0\x05');

/** Splits a chunk into client messages. The last one may be incomplete. */
function* parseMessages(chunk: Buffer): Generator<[type: string, body: string]> {
  for (let offset = 0; offset + 5 <= chunk.length; offset += 1 + chunk.readUInt32BE(offset + 1)) {
    const end = offset + 1 + chunk.readUInt32BE(offset + 1);
    yield [String.fromCharCode(chunk[offset]!), chunk.toString('latin1', offset + 5, end)];
  }
}

/** Number of responses to the client messages: one per simple query and `Sync`, at least one. */
function countResponses(chunk: Buffer): number {
  return Math.max([...parseMessages(chunk)].filter(([type]) => /[QS]/.test(type)).length, 1);
}

/** Prepared statements by name. A name means the same statement on every connection. */
const statementsByName = new Map<string, string>();

/** Returns the text of client messages, including the prepared statements that they execute. */
function getMessageText(chunk: Buffer): string {
  let text = chunk.toString('latin1');
  for (const [type, body] of parseMessages(chunk)) {
    const [first = '', second = ''] = body.split('\0');
    if (type === 'P' && first !== '') statementsByName.set(first, second);
    if (type === 'B') text += statementsByName.get(second) ?? '';
  }
  return text;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const connections = new Set<Connection>();
  let trigger: { text: string; action: 'freeze' | 'before' | 'after' | Buffer } | undefined;
  let replaceText = (chunk: Buffer) => chunk;
  const freeze = () => {
    for (const connection of connections) connection.frozen = true;
  };
  // Half-open, so that a frozen connection does not respond when the other side closes.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({
      port: Number(target.port),
      host: target.hostname,
      allowHalfOpen: true,
    });
    const connection: Connection = { client, server, frozen: false, remainingResponses: Infinity };
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
    client.on('data', (chunk) => {
      const text = getMessageText(chunk);
      if (trigger && text.includes(trigger.text)) {
        const { action } = trigger;
        trigger = undefined;
        if (action instanceof Buffer) return void client.write(action);
        if (action === 'freeze') freeze();
        if (action === 'before') return closeConnection(connection);
        if (action === 'after') connection.remainingResponses = countResponses(chunk);
      }
      if (!connection.frozen) server.write(replaceText(chunk));
    });
    server.on('data', (chunk) => {
      if (connection.frozen) return;
      if (connection.remainingResponses === Infinity) return void client.write(chunk);
      const parts = chunk.toString('latin1').split(READY.toString('latin1'));
      connection.remainingResponses -= parts.length - 1;
      if (connection.remainingResponses <= 0) closeConnection(connection);
    });
    for (const [source, destination] of [
      [client, server],
      [server, client],
    ] as const) {
      source.on('error', () => {});
      source.on('end', () => {
        if (!connection.frozen) destination.end();
      });
      source.on('close', () => {
        if (!connection.frozen) destination.destroy();
      });
    }
  });
  const { port } = await listen(proxy);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    target: databaseUrl,
    freeze,
    freezeAt: (text) => {
      trigger = { text, action: 'freeze' };
    },
    respondAt: (text, response) => {
      trigger = { text, action: response };
    },
    cutAt: (text, when) => {
      trigger = { text, action: when };
    },
    replace: (text, replacement) => {
      replaceText = (chunk) =>
        Buffer.from(chunk.toString('latin1').replaceAll(text, replacement), 'latin1');
    },
    size: () => connections.size,
    close: async () => {
      for (const connection of connections) closeConnection(connection);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

interface Connection {
  client: Socket;
  server: Socket;
  frozen: boolean;
  /** Number of responses to forward before the connection is closed. */
  remainingResponses: number;
}

function closeConnection({ client, server }: Connection): void {
  client.destroy();
  server.destroy();
}
