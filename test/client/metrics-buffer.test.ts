import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import {
  type DroppedMetric,
  type IngestMetricsRequest,
  MetricsBuffer,
  type MetricsBufferOptions,
  Nameplate,
  NameplateError,
  type SentMetric,
} from '#client/index.ts';
import { eventually } from '../support/eventually.ts';
import { respondJson } from '../support/listen.ts';
import { startServer, type ReceivedRequest } from './support/server.ts';

function metric(visitors: number): IngestMetricsRequest {
  return { projectId: 'p-1', payload: { visitors } };
}

function parseBodies(received: ReceivedRequest[]): unknown[] {
  return received.map(({ body }) => JSON.parse(body) as unknown);
}

const idempotencyKey = expect.any(String) as string;

function createBuffer(url: string, options: MetricsBufferOptions = {}) {
  const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: url, maxRetries: 0 });
  const dropped: DroppedMetric[] = [];
  const buffer = new MetricsBuffer(client, { onDrop: (item) => dropped.push(item), ...options });
  return { buffer, dropped };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('in a metrics buffer, flush sends all pending metrics once, several at a time', async () => {
  let inFlight = 0;
  let peak = 0;
  const { url, received } = await startServer((response) => {
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    setImmediate(() => {
      inFlight -= 1;
      respondJson(response, 200, { message: 'ok' });
    });
  });
  const { buffer, dropped } = createBuffer(url, { concurrency: 3 });
  for (let count = 0; count < 50; count += 1) expect(buffer.add(metric(count))).toBe(true);
  expect(buffer.size).toBe(50);
  const [first, second] = await Promise.all([buffer.flush(), buffer.flush()]);
  expect(first).toEqual({ sent: 50, dropped: [] });
  expect(second).toEqual(first);
  expect(buffer.size).toBe(0);
  expect(dropped).toEqual([]);
  const visitors = parseBodies(received).map(
    (body) => (body as IngestMetricsRequest).payload['visitors'],
  );
  expect(new Set(visitors)).toEqual(new Set(Array.from({ length: 50 }, (_, count) => count)));
  expect(received).toHaveLength(50);
  expect(peak).toBeGreaterThan(1);
  expect(peak).toBeLessThanOrEqual(3);
});

it('a metrics buffer copies a metric when it is added', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  const { buffer } = createBuffer(url);
  const metricToChange = metric(1);
  buffer.add(metricToChange);
  metricToChange.payload['visitors'] = 2;
  await buffer.flush();
  expect(parseBodies(received)).toEqual([metric(1)]);
});

it('a metrics buffer sends after the flush interval, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const client = new Nameplate({
    apiKey: 'np_test.secret',
    fetch: () => Promise.resolve(Response.json({})),
  });
  const buffer = new MetricsBuffer(client, { flushInterval: 5_000 });
  buffer.add(metric(1));
  buffer.add(metric(2));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(buffer.size).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  await eventually(() => expect(buffer.size).toBe(0));
  expect(vi.getTimerCount()).toBe(0);
});

it('a metrics buffer keeps the process alive only until everything is sent', async () => {
  const { url, received } = await startServer((response) => respondJson(response, 200, {}));
  const program = `
      import { MetricsBuffer, Nameplate } from ${JSON.stringify(new URL('../../client/src/index.ts', import.meta.url).href)};
      const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: '${url}' });
      new MetricsBuffer(client, { flushInterval: 200 }).add(${JSON.stringify(metric(7))});
    `;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(parseBodies(received)).toEqual([metric(7)]);
});

it('a metrics buffer drops metrics as full above its maximum number of metrics or characters', async () => {
  const { url } = await startServer((response) => respondJson(response, 200, {}));
  for (const options of [{ maxSize: 1 }, { maxCharacters: 60 }]) {
    const { buffer, dropped } = createBuffer(url, options);
    expect([1, 2].map((count) => buffer.add(metric(count)))).toEqual([true, false]);
    expect(dropped).toEqual([{ metric: metric(2), reason: 'full', idempotencyKey }]);
    expect(await buffer.flush()).toEqual({ sent: 1, dropped: [] });
    expect(buffer.add(metric(4))).toBe(true);
    await buffer.close();
  }
});

it('a metrics buffer reports idempotency keys and correct totals', async () => {
  const { url, received } = await startServer((response, { body }) =>
    body.includes('"visitors":2')
      ? respondJson(response, 403, { error: 'Not yours.' })
      : respondJson(response, 200, {}),
  );
  const sent: SentMetric[] = [];
  const dropped: DroppedMetric[] = [];
  const sums: number[] = [];
  function record<Item>(items: Item[], item: Item): void {
    items.push(item);
    sums.push(buffer.sent + buffer.dropped + buffer.size);
  }
  const { buffer } = createBuffer(url, {
    maxSize: 3,
    onSent: (item) => record(sent, item),
    onDrop: (item) => record(dropped, item),
  });
  for (const count of [1, 2, 3, 4]) buffer.add(metric(count));
  await buffer.close();
  buffer.add(metric(5));
  expect([buffer.sent, buffer.dropped, buffer.size]).toEqual([2, 3, 0]);
  expect(sums).toEqual([4, 4, 4, 4, 5]);
  expect(sent).toHaveLength(2);
  expect(sent.map((item) => item.metric)).toEqual(expect.arrayContaining([metric(1), metric(3)]));
  expect(dropped.map(({ reason }) => reason)).toEqual(['full', 'refused', 'closed']);
  expect(dropped[1]).toMatchObject({ error: { status: 403 } });
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(new Set([...sent, dropped[1]!].map((item) => item.idempotencyKey))).toEqual(new Set(keys));
  expect(new Set([...sent, ...dropped].map((item) => item.idempotencyKey)).size).toBe(5);
});

it('an onSent or onDrop that throws does not stop other metrics', async () => {
  const { url, received } = await startServer((response, _request, count) =>
    count === 1 ? respondJson(response, 400, { error: 'No.' }) : respondJson(response, 200, {}),
  );
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const broken = new Error('broken');
  const onSent = () => {
    throw broken;
  };
  const { buffer } = createBuffer(url, { concurrency: 1, onSent, onDrop: onSent });
  for (const count of [1, 2, 3]) buffer.add(metric(count));
  expect(await buffer.flush()).toMatchObject({ sent: 2, dropped: [{ reason: 'refused' }] });
  expect(received).toHaveLength(3);
  expect(warning.mock.calls).toEqual(
    Array.from({ length: 3 }, () => ['Nameplate: a callback failed.', broken]),
  );
});

it('a metrics buffer drops metrics that are not JSON as invalid', () => {
  const { buffer, dropped } = createBuffer('http://127.0.0.1:1');
  const unwritable = { projectId: 'p-1', payload: { big: 1n } };
  expect(buffer.add(unwritable)).toBe(false);
  expect(dropped).toEqual([
    { metric: unwritable, reason: 'invalid', idempotencyKey, error: expect.any(NameplateError) },
  ]);
});

it('in a metrics buffer, close drops pending metrics as aborted if its signal is aborted', async () => {
  const controller = new AbortController();
  const { url } = await startServer(() => controller.abort());
  const { buffer, dropped } = createBuffer(url, { concurrency: 1 });
  for (const count of [1, 2, 3]) buffer.add(metric(count));
  const result = await buffer.close({ signal: controller.signal });
  expect(result.sent).toBe(0);
  expect(result.dropped.map(({ reason }) => reason)).toEqual(['aborted', 'aborted', 'aborted']);
  expect(dropped).toEqual(result.dropped);
});

it('a metrics buffer logs its retries like those of calls', async () => {
  const answers = [503, 200];
  const { url } = await startServer((response) => respondJson(response, answers.shift()!, {}));
  vi.stubEnv('NAMEPLATE_LOG', 'warn');
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const { buffer } = createBuffer(url);
  vi.unstubAllEnvs();
  buffer.add(metric(1));
  expect(await buffer.flush()).toEqual({ sent: 1, dropped: [] });
  const call = { method: 'POST', path: '/stats/ingest-metrics', attempt: 1, status: 503 };
  expect(log.mock.calls).toEqual([
    ['retry', expect.objectContaining({ ...call, retryDelay: expect.any(Number) as number })],
  ]);
});

it('without onDrop a dropped metric logs a warning', async () => {
  const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const client = new Nameplate({ apiKey: 'np_test.secret' });
  const buffer = new MetricsBuffer(client);
  await buffer.close();
  buffer.add(metric(1));
  expect(warning).toHaveBeenCalledExactlyOnceWith('Nameplate: a metric was dropped (closed).');
});

it.for(['maxSize', 'maxCharacters', 'concurrency', 'flushInterval', 'maxRetryTime'])(
  'in a metrics buffer, %s must be a number of at least 1',
  (name) => {
    const client = new Nameplate({ apiKey: 'np_test.secret' });
    expect(() => new MetricsBuffer(client, { [name]: 0 })).toThrow(NameplateError);
    expect(() => new MetricsBuffer(client, { [name]: Number.NaN })).toThrow(NameplateError);
  },
);
