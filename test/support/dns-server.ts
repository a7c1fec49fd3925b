import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const RECORD_TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof RECORD_TYPES;

const SERVFAIL = 2;
const NXDOMAIN = 3;

export interface DnsServer {
  address: string;
  /** Queries received so far, as `name typeNumber`. */
  queries: string[];
  /** Sets the records of a name. An empty object makes the name unknown (NXDOMAIN). */
  setRecords: (name: string, records: Partial<Record<RecordType, string[]>>) => void;
  /** Responds with SERVFAIL, or not at all, to queries for names with this suffix. */
  failQueries: (suffix: string, mode: 'servfail' | 'timeout') => void;
  close: () => Promise<void>;
}

export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, Partial<Record<RecordType, string[]>>>();
  const failures = new Map<string, 'servfail' | 'timeout'>();
  const queries: string[] = [];
  /** A wildcard does not apply to names that exist, also without records (RFC 4592, 2.2.1). */
  const findRecords = (name: string) => {
    const hasSubdomain = [...zone.keys()].some((other) => other.endsWith(`.${name}`));
    return zone.get(name) ?? (hasSubdomain ? {} : zone.get(name.replace(/^[^.]+/, '*')));
  };
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = parseQuestion(query);
    queries.push(`${name} ${type}`);
    const [, failure] = [...failures].find(([suffix]) => name.endsWith(suffix)) ?? [];
    if (failure === 'timeout') return;
    const records = findRecords(name);
    const code = failure ? SERVFAIL : records ? 0 : NXDOMAIN;
    const requestedType = Object.entries(RECORD_TYPES).find(
      ([, number]) => number === type,
    )?.[0] as RecordType;
    const answers = failure
      ? []
      : (records?.[requestedType] ?? []).map((value) => [requestedType, value] as const);
    socket.send(encodeResponse(query.subarray(0, end), code, answers), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    setRecords: (name, records) =>
      void (Object.keys(records).length > 0 ? zone.set(name, records) : zone.delete(name)),
    failQueries: (suffix, mode) => void failures.set(suffix, mode),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Parses the first question. `end` is the offset after it. */
function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
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
  answers: readonly (readonly [RecordType, string])[],
): Buffer {
  const header = Buffer.from(question);
  // Flags: response, recursion desired and available. Then one question.
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  const records = answers.map(([type, value]) => {
    const data = encodeRecordData(type, value);
    const record = Buffer.alloc(12);
    // Compression pointer to the name in the question.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(RECORD_TYPES[type], 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, ...records]);
}

function encodeRecordData(type: RecordType, value: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(
        value.split(':').flatMap((group) => {
          const groupValue = Number.parseInt(group, 16);
          return [groupValue >> 8, groupValue & 255];
        }),
      );
    case 'TXT':
      return Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
    case 'MX':
      return Buffer.concat([Buffer.from([0, 10]), encodeRecordData('CNAME', value)]);
    case 'CNAME':
      return Buffer.concat([
        ...value
          .split('.')
          .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
        Buffer.from([0]),
      ]);
  }
}
