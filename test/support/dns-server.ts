import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Record type numbers of the DNS protocol. */
const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type Type = keyof typeof TYPES;

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** A fake DNS server on loopback. */
export interface DnsServer {
  /** `address:port`. */
  address: string;
  /** Queries received so far, as `name typeNumber`. */
  queries: string[];
  /** Sets the records of a name. An empty object makes the name unknown (NXDOMAIN). */
  set: (name: string, records: Partial<Record<Type, string[]>>) => void;
  /** Responds with SERVFAIL, or not at all, to queries for names with this suffix. */
  fail: (suffix: string, mode: 'servfail' | 'timeout') => void;
  close: () => Promise<void>;
}

/** Starts a DNS server without records. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, Partial<Record<Type, string[]>>>();
  const failing = new Map<string, 'servfail' | 'timeout'>();
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type}`);
    const [, failure] = [...failing].find(([suffix]) => name.endsWith(suffix)) ?? [];
    if (failure === 'timeout') return;
    const records = zone.get(name);
    const code = failure ? SERVFAIL : records ? 0 : NXDOMAIN;
    const requestedType = Object.entries(TYPES).find(([, number]) => number === type)?.[0] as Type;
    const answers = failure
      ? []
      : (records?.[requestedType] ?? []).map((value) => [requestedType, value] as const);
    socket.send(encodeResponse(query.subarray(0, end), code, answers), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: questions,
    set: (name, records) =>
      void (Object.keys(records).length > 0 ? zone.set(name, records) : zone.delete(name)),
    fail: (suffix, mode) => void failing.set(suffix, mode),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Parses the first question. `end` is the offset after it. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels = [];
  let offset = 12;
  for (let length = query[offset]!; length > 0; length = query[offset]!) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(offset + 1),
    end: offset + 5,
  };
}

function encodeResponse(
  question: Buffer,
  code: number,
  answers: readonly (readonly [Type, string])[],
): Buffer {
  const header = Buffer.from(question);
  // A response with recursion available, and one question.
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  const records = answers.map(([type, value]) => {
    const data = encodeData(type, value);
    const record = Buffer.alloc(12);
    // Name: a pointer to the question's name.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(TYPES[type], 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, ...records]);
}

function encodeData(type: Type, value: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(
        value.split(':').flatMap((part) => {
          const number = Number.parseInt(part, 16);
          return [number >> 8, number & 255];
        }),
      );
    case 'TXT':
      return Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
    case 'CNAME':
      return Buffer.concat([
        ...value
          .split('.')
          .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
        Buffer.from([0]),
      ]);
  }
}
