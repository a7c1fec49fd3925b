import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type DroppedMetric,
  type IngestMetricsRequest,
  MetricsBuffer,
  type MetricsBufferOptions,
  Nameplate,
  NameplateError,
  type SentMetric,
} from '../../client/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { json, startServer, type ReceivedRequest } from './support/server.ts';

function metric(visitors: number): IngestMetricsRequest {
  return { projectId: 'p-1', payload: { visitors } };
}

function byVisitors(item: IngestMetricsRequest, other: IngestMetricsRequest): number {
  return Number(item.payload['visitors']) - Number(other.payload['visitors']);
}

function bodiesOf(received: ReceivedRequest[]): unknown[] {
  return received.map(({ body }) => JSON.parse(body) as unknown);
}

const idempotencyKey = expect.any(String) as string;

/** A metrics buffer that records what it drops. */
function bufferOf(url: string, options: MetricsBufferOptions = {}) {
  const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: url, maxRetries: 0 });
  const dropped: DroppedMetric[] = [];
  const buffer = new MetricsBuffer(client, { onDrop: (item) => dropped.push(item), ...options });
  return { buffer, dropped };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a metrics buffer', () => {
  it('flush sends all pending metrics once, several at a time', async () => {
    let now = 0;
    let peak = 0;
    const { url, received } = await startServer((response) => {
      now += 1;
      peak = Math.max(peak, now);
      setImmediate(() => {
        now -= 1;
        json(response, 200, { message: 'ok' });
      });
    });
    const { buffer, dropped } = bufferOf(url, { concurrency: 3 });
    for (let count = 0; count < 50; count += 1) expect(buffer.add(metric(count))).toBe(true);
    expect(buffer.size).toBe(50);
    expect(await buffer.flush()).toEqual({ sent: 50, dropped: [] });
    expect(buffer.size).toBe(0);
    expect(dropped).toEqual([]);
    const visitors = bodiesOf(received).map(
      (body) => (body as IngestMetricsRequest).payload['visitors'],
    );
    expect(new Set(visitors)).toEqual(new Set(Array.from({ length: 50 }, (_, count) => count)));
    expect(received).toHaveLength(50);
    expect(peak).toBeGreaterThan(1);
    expect(peak).toBeLessThanOrEqual(3);
  });

  it('copies a metric when it is added', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const { buffer } = bufferOf(url);
    const changing = metric(1);
    buffer.add(changing);
    changing.payload['visitors'] = 2;
    await buffer.flush();
    expect(bodiesOf(received)).toEqual([metric(1)]);
  });

  it('sends after the flush interval, and leaves no timer', async () => {
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

  it('keeps the process alive only until everything is sent', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const program = `
      import { MetricsBuffer, Nameplate } from ${JSON.stringify(new URL('../../client/src/index.ts', import.meta.url).href)};
      const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: '${url}' });
      new MetricsBuffer(client, { flushInterval: 200 }).add(${JSON.stringify(metric(7))});
    `;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(bodiesOf(received)).toEqual([metric(7)]);
  });

  it('is limited in number and characters: what does not fit is dropped as full', async () => {
    const { url } = await startServer((response) => json(response, 200, {}));
    const few = bufferOf(url, { maxSize: 2 });
    expect([1, 2, 3].map((count) => few.buffer.add(metric(count)))).toEqual([true, true, false]);
    expect(few.dropped).toEqual([{ metric: metric(3), reason: 'full', idempotencyKey }]);
    expect(await few.buffer.flush()).toEqual({ sent: 2, dropped: [] });
    expect(few.buffer.add(metric(4))).toBe(true);
    await few.buffer.close();

    const small = bufferOf(url, { maxCharacters: 60 });
    expect(small.buffer.add(metric(1))).toBe(true);
    expect(small.buffer.add(metric(2))).toBe(false);
    expect(small.dropped).toEqual([{ metric: metric(2), reason: 'full', idempotencyKey }]);
    await small.buffer.close();
  });

  it('reports keys, and totals that always add up', async () => {
    const { url, received } = await startServer((response, { body }) =>
      body.includes('"visitors":2')
        ? json(response, 403, { error: 'Not yours.' })
        : json(response, 200, {}),
    );
    const sent: SentMetric[] = [];
    const sums: number[] = [];
    function sum(): void {
      sums.push(buffer.sent + buffer.dropped + buffer.size);
    }
    const { buffer, dropped } = bufferOf(url, {
      maxSize: 3,
      onSent: (item) => {
        sent.push(item);
        sum();
      },
      onDrop: (item) => {
        dropped.push(item);
        sum();
      },
    });
    for (const count of [1, 2, 3, 4]) buffer.add(metric(count));
    await buffer.close();
    buffer.add(metric(5));
    expect({ sent: buffer.sent, dropped: buffer.dropped, size: buffer.size }).toEqual({
      sent: 2,
      dropped: 3,
      size: 0,
    });
    expect(sums).toEqual([4, 4, 4, 4, 5]);
    expect(sent.map((item) => item.metric).toSorted(byVisitors)).toEqual([metric(1), metric(3)]);
    expect(dropped.map(({ reason }) => reason)).toEqual(['full', 'refused', 'closed']);
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set([...sent, dropped[1]!].map((item) => item.idempotencyKey))).toEqual(
      new Set(keys),
    );
    expect(new Set([...sent, ...dropped].map((item) => item.idempotencyKey)).size).toBe(5);
  });

  it('an onSent that throws does not stop other metrics', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const broken = new Error('broken');
    const { buffer } = bufferOf(url, {
      onSent: () => {
        throw broken;
      },
    });
    buffer.add(metric(1));
    buffer.add(metric(2));
    expect(await buffer.flush()).toEqual({ sent: 2, dropped: [] });
    expect(received).toHaveLength(2);
    expect(warning.mock.calls).toEqual([
      ['Nameplate: a hook failed.', broken],
      ['Nameplate: a hook failed.', broken],
    ]);
  });

  it('drops refused metrics at once, and stores the others', async () => {
    const { url, received } = await startServer((response, { body }) =>
      body.includes('"visitors":2')
        ? json(response, 403, { error: 'Not yours.' })
        : json(response, 200, {}),
    );
    const { buffer, dropped } = bufferOf(url);
    for (const count of [1, 2, 3]) buffer.add(metric(count));
    const result = await buffer.flush();
    expect(received).toHaveLength(3);
    expect(result.sent).toBe(2);
    expect(result.dropped).toEqual([
      {
        metric: metric(2),
        reason: 'refused',
        idempotencyKey,
        error: expect.objectContaining({ status: 403 }),
      },
    ]);
    expect(dropped).toEqual(result.dropped);
  });

  it('drops metrics that are not JSON as invalid', () => {
    const { buffer, dropped } = bufferOf('http://127.0.0.1:1');
    const unwritable = { projectId: 'p-1', payload: { big: 1n } };
    expect(buffer.add(unwritable)).toBe(false);
    expect(dropped).toEqual([
      { metric: unwritable, reason: 'invalid', idempotencyKey, error: expect.any(TypeError) },
    ]);
  });

  it('close sends the rest, and later metrics are dropped as closed', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const { buffer, dropped } = bufferOf(url);
    buffer.add(metric(1));
    const closing = buffer.close();
    expect(buffer.add(metric(2))).toBe(false);
    expect(await closing).toEqual({ sent: 1, dropped: [] });
    expect(dropped).toEqual([{ metric: metric(2), reason: 'closed', idempotencyKey }]);
    expect(received).toHaveLength(1);
    expect(await buffer.close()).toEqual({ sent: 0, dropped: [] });
  });

  it('close with an aborted signal drops the rest as aborted and ends', async () => {
    const controller = new AbortController();
    const { url } = await startServer(() => controller.abort());
    const { buffer, dropped } = bufferOf(url, { concurrency: 1 });
    for (const count of [1, 2, 3]) buffer.add(metric(count));
    const result = await buffer.close({ signal: controller.signal });
    expect(result.sent).toBe(0);
    expect(result.dropped.map(({ reason }) => reason)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(dropped).toEqual(result.dropped);
  });

  it('totals of added, sent and dropped metrics always agree, also with two concurrent flushes', async () => {
    const { url } = await startServer((response, _request, count) =>
      count % 3 === 0 ? json(response, 400, { error: 'No.' }) : json(response, 200, {}),
    );
    const { buffer, dropped } = bufferOf(url, { maxSize: 20 });
    let refused = 0;
    for (let count = 0; count < 30; count += 1) if (!buffer.add(metric(count))) refused += 1;
    const [first, second] = await Promise.all([buffer.flush(), buffer.flush()]);
    expect(first).toEqual(second);
    expect(first.sent + first.dropped.length + refused).toBe(30);
    expect(dropped).toHaveLength(refused + first.dropped.length);
  });

  it('an onDrop that throws does not stop other metrics', async () => {
    const { url, received } = await startServer((response, _request, count) =>
      count === 1 ? json(response, 400, { error: 'No.' }) : json(response, 200, {}),
    );
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { buffer } = bufferOf(url, {
      concurrency: 1,
      onDrop: () => {
        throw new Error('broken');
      },
    });
    buffer.add(metric(1));
    buffer.add(metric(2));
    const result = await buffer.flush();
    expect(result).toMatchObject({ sent: 1, dropped: [{ reason: 'refused' }] });
    expect(received).toHaveLength(2);
    expect(warning).toHaveBeenCalledOnce();
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
    '%s must be a number of at least 1',
    (name) => {
      const client = new Nameplate({ apiKey: 'np_test.secret' });
      expect(() => new MetricsBuffer(client, { [name]: 0 })).toThrow(NameplateError);
      expect(() => new MetricsBuffer(client, { [name]: Number.NaN })).toThrow(NameplateError);
    },
  );
});
