import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ACTIVE_CONNECTIONS = 40;
/** Connections that are opened but never used. */
const SILENT_CONNECTIONS = 300;
const MAX_DELAY_MS = 300;

/** Returns an integer from 0 to `limit - 1`. */
type Random = (limit: number) => number;

/** Pseudo-random number generator mulberry32. */
function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function createRequests(key: string): string[] {
  const requestHead = (line: string, ...lines: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: x', ...lines, `X-API-KEY: ${key}`].join('\r\n')}\r\n\r\n`;
  const json = 'Content-Type: application/json';
  const listRequest = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const update = 'POST /site/update-site-configuration';
  return [
    requestHead('GET /healthz'),
    requestHead('GET /site/get-site-configuration', 'Connection: close'),
    requestHead('HEAD /openapi.json'),
    requestHead('GET /owner/openapi.json'),
    requestHead('GET /nowhere?x=%zz'),
    requestHead('POST /site/toggle-site-visibility', 'Idempotency-Key: k'),
    `${requestHead(update, json, 'Content-Length: 12')}{"bio":"abc"}`,
    `${requestHead(update, json, 'Expect: 100-continue', 'Content-Length: 2')}{}`,
    `${requestHead(update, json, 'Transfer-Encoding: chunked')}2;x=y\r\n{}\r\n0\r\nT: x\r\n\r\n`,
    `${requestHead('POST /mcp', json, `Content-Length: ${listRequest.length}`)}${listRequest}`,
    `${requestHead(update, 'Content-Length: 900000')}${'x'.repeat(2_000)}`,
    requestHead('CONNECT a:1'),
    requestHead('CONNECT /healthz'),
    requestHead('OPTIONS *', 'Expect: banana'),
    requestHead(
      'GET /healthz',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: AAAA',
    ),
    requestHead('GET /healthz', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ];
}

const ODD_BYTES = ['\0', '\r\n', '\r\n\r\n', '\n', ' ', ':', '\xff', '0', '-1', 'x'.repeat(17_000)];

function mutate(text: string, random: Random): string {
  const start = random(text.length + 1);
  const end = start + random(20);
  const inserted = ODD_BYTES[random(ODD_BYTES.length)] ?? '';
  const mutations = [
    () => text.slice(0, start),
    () => text.slice(0, start) + inserted + text.slice(start),
    () => text.slice(0, start) + inserted + text.slice(end),
    () => text.slice(0, end) + text.slice(start),
    () => text.slice(0, start) + String.fromCharCode(random(256)) + text.slice(start + 1),
  ];
  return mutations[random(mutations.length)]?.() ?? text;
}

/** Opens a connection and sends random requests in two chunks, then closes it in a random way. */
async function runConnection(port: number, requests: string[], random: Random): Promise<void> {
  const socket = openConnection(port);
  const count = random(4) === 0 ? 1 + random(400) : 1 + random(3);
  const template = requests[random(requests.length)] ?? '';
  let text = '';
  for (let n = 0; n < count && text.length < 100_000; n += 1)
    text += random(8) === 0 ? (requests[random(requests.length)] ?? '') : template;
  for (let n = random(4); n > 0; n -= 1) text = mutate(text, random);
  if (random(4) > 0) socket.resume();
  const splitAt = random(3) === 0 ? random(text.length + 1) : text.length;
  socket.write(text.slice(0, splitAt), 'latin1');
  if (random(2) === 0) await sleep(random(20));
  if (!socket.destroyed) socket.write(text.slice(splitAt), 'latin1');
  if (random(3) > 0) await sleep(random(MAX_DELAY_MS));
  const closeActions = [() => socket.resetAndDestroy(), () => socket.destroy(), () => socket.end()];
  closeActions[random(closeActions.length)]?.();
  if (!socket.destroyed) await sleep(random(MAX_DELAY_MS));
  socket.destroy();
}

function openConnection(port: number): Socket {
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    .on('error', () => {})
    .pause();
}

/**
 * Sends random requests over many connections, while other connections stay silent. Returns the
 * number of connections that sent requests, and the silent ones, which are still open.
 */
export async function fuzz(
  port: number,
  { key, seed, seconds }: { key: string; seed: number; seconds: number },
): Promise<{ connections: number; silentSockets: Socket[] }> {
  const requests = createRequests(key);
  const silentSockets = Array.from({ length: SILENT_CONNECTIONS }, () => openConnection(port));
  const endTime = performance.now() + seconds * 1_000;
  let connections = 0;
  await Promise.all(
    Array.from({ length: ACTIVE_CONNECTIONS }, async () => {
      while (performance.now() < endTime)
        await runConnection(port, requests, createRandom(seed + connections++));
    }),
  );
  return { connections, silentSockets };
}
