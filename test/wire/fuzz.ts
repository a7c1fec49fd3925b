import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Number of active connections, besides the silent ones. */
const MAX_CONNECTIONS = 40;
const SILENT = 300;
const LONGEST_MS = 300;

type Random = (below: number) => number;

/** Pseudo-random numbers for a seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function requestsWith(key: string): string[] {
  const head = (line: string, ...lines: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: x', ...lines, `X-API-KEY: ${key}`].join('\r\n')}\r\n\r\n`;
  const json = 'Content-Type: application/json';
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const update = 'POST /site/update-site-configuration';
  return [
    head('GET /healthz'),
    head('GET /site/get-site-configuration', 'Connection: close'),
    head('HEAD /openapi.json'),
    head('GET /docs/js/scalar.js'),
    head('GET /nowhere?x=%zz'),
    head('POST /site/toggle-site-visibility', 'Idempotency-Key: k'),
    `${head(update, json, 'Content-Length: 12')}{"bio":"abc"}`,
    `${head(update, json, 'Expect: 100-continue', 'Content-Length: 2')}{}`,
    `${head(update, json, 'Transfer-Encoding: chunked')}2;x=y\r\n{}\r\n0\r\nT: x\r\n\r\n`,
    `${head('POST /mcp', json, `Content-Length: ${list.length}`)}${list}`,
    `${head(update, 'Content-Length: 900000')}${'x'.repeat(2_000)}`,
    head('CONNECT a:1'),
    head('CONNECT /healthz'),
    head('OPTIONS *', 'Expect: banana'),
    head('GET /healthz', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAA'),
    head('GET /healthz', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ];
}

const ODD_BYTES = ['\0', '\r\n', '\r\n\r\n', '\n', ' ', ':', '\xff', '0', '-1', 'x'.repeat(17_000)];

function mutate(text: string, random: Random): string {
  const at = random(text.length + 1);
  const to = at + random(20);
  const odd = ODD_BYTES[random(ODD_BYTES.length)] ?? '';
  const kinds = [
    () => text.slice(0, at),
    () => text.slice(0, at) + odd + text.slice(at),
    () => text.slice(0, at) + odd + text.slice(to),
    () => text.slice(0, to) + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1),
  ];
  return kinds[random(kinds.length)]?.() ?? text;
}

/** Opens one connection with random requests, chunks, reading and end. */
async function runConnection(port: number, requests: string[], random: Random): Promise<void> {
  const socket = open(port);
  const count = random(4) === 0 ? 1 + random(400) : 1 + random(3);
  const template = requests[random(requests.length)] ?? '';
  let text = '';
  for (let n = 0; n < count && text.length < 100_000; n += 1)
    text += random(8) === 0 ? (requests[random(requests.length)] ?? '') : template;
  for (let n = random(4); n > 0; n -= 1) text = mutate(text, random);
  if (random(4) > 0) socket.resume();
  const cut = random(3) === 0 ? random(text.length + 1) : text.length;
  socket.write(text.slice(0, cut), 'latin1');
  if (random(2) === 0) await sleep(random(20));
  if (!socket.destroyed) socket.write(text.slice(cut), 'latin1');
  if (random(3) > 0) await sleep(random(LONGEST_MS));
  const ends = [() => socket.resetAndDestroy(), () => socket.destroy(), () => socket.end()];
  ends[random(ends.length)]?.();
  if (!socket.destroyed) await sleep(random(LONGEST_MS));
  socket.destroy();
}

function open(port: number): Socket {
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    .on('error', () => {})
    .pause();
}

/**
 * Sends random requests for some seconds over many connections, while other connections stay
 * silent. Returns the number of connections and the silent ones, still open.
 */
export async function fuzz(
  port: number,
  { key, seed, seconds }: { key: string; seed: number; seconds: number },
): Promise<{ connections: number; silent: Socket[] }> {
  const requests = requestsWith(key);
  const silent = Array.from({ length: SILENT }, () => open(port));
  const until = performance.now() + seconds * 1_000;
  let connections = 0;
  await Promise.all(
    Array.from({ length: MAX_CONNECTIONS }, async () => {
      while (performance.now() < until)
        await runConnection(port, requests, createRandom(seed + connections++));
    }),
  );
  return { connections, silent };
}
