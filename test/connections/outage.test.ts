import { expect, it } from 'vitest';
import {
  connect,
  endPause,
  logEvents,
  namesIn,
  runDeliveries,
  useConnections,
} from './support/connection-app.ts';

/** OUTAGE_EVENTS=10000 prints figures. */
const EVENTS = Number(process.env['OUTAGE_EVENTS'] ?? 250);

const { receiver, server } = await useConnections();

it('events during an outage arrive afterwards, each id at least once and in order', async () => {
  let isDown = true;
  const hook = receiver.addHook((response) => response.writeHead(isDown ? 503 : 204).end());
  const account = await server.createAccount();
  const { id } = await connect(account, hook.url);
  const loggingStart = performance.now();
  for (let first = 1; first <= EVENTS; first += 250)
    await logEvents(server, account, Math.min(first + 249, EVENTS), first);
  const loggedMs = performance.now() - loggingStart;
  await runDeliveries(server);
  expect(hook.requests).toHaveLength(1);
  hook.requests.length = 0;
  isDown = false;
  await endPause(server, id);
  const [start, heapBefore] = [performance.now(), process.memoryUsage().heapUsed];
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 100);
  let runs = 0;
  while (hook.requests.length < EVENTS) {
    await runDeliveries(server, { includeFuture: true });
    runs += 1;
  }
  clearInterval(timer);
  const seconds = (performance.now() - start) / 1_000;
  expect(namesIn(hook.requests)).toEqual(
    Array.from({ length: EVENTS }, (_, index) => `jane-${index + 1}`),
  );
  expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
  if (process.env['OUTAGE_EVENTS'])
    console.log({ EVENTS, loggedMs, seconds, runs, heapBefore, peak });
});
