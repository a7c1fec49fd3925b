import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Types of records by their numbers in DNS. */
const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type Type = keyof typeof TYPES;

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** A DNS server of our own on loopback. */
export interface DnsServer {
  /** `address:port`. */
  address: string;
  /** Names that were asked for, each with its type. */
  questions: string[];
  /** Sets the records of a name; none makes it unknown. */
  set: (name: string, records: Partial<Record<Type, string[]>>) => void;
  /** Lets it fail, or not answer at all, for every name that ends so. */
  fail: (suffix: string, how: 'refuses' | 'is silent') => void;
  close: () => Promise<void>;
}

/** Starts one that knows no names. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, Partial<Record<Type, string[]>>>();
  const failing = new Map<string, 'refuses' | 'is silent'>();
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type}`);
    const [, failure] = [...failing].find(([suffix]) => name.endsWith(suffix)) ?? [];
    if (failure === 'is silent') return;
    const records = zone.get(name);
    const code = failure ? SERVFAIL : records ? 0 : NXDOMAIN;
    const wanted = Object.entries(TYPES).find(([, number]) => number === type)?.[0] as Type;
    const answers = failure
      ? []
      : (records?.[wanted] ?? []).map((value) => [wanted, value] as const);
    socket.send(writeAnswer(query.subarray(0, end), code, answers), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    set: (name, records) =>
      void (Object.keys(records).length > 0 ? zone.set(name, records) : zone.delete(name)),
    fail: (suffix, how) => void failing.set(suffix, how),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The first question of a message, and where it ends. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    end: at + 5,
  };
}

function writeAnswer(
  question: Buffer,
  code: number,
  answers: readonly (readonly [Type, string])[],
): Buffer {
  const head = Buffer.from(question);
  // A response with recursion, of one question.
  head.writeUInt16BE(0x8180 + code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt32BE(0, 8);
  const records = answers.map(([type, value]) => {
    const data = dataOf(type, value);
    const record = Buffer.alloc(12);
    // The name is that of the question.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(TYPES[type], 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

function dataOf(type: Type, value: string): Buffer {
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
