import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type DroppedMetric,
  type IngestMetricsRequest,
  MetricsBuffer,
  type MetricsBufferOptions,
  Nameplate,
  NameplateError,
} from '../../client/src/index.ts';
import { json, startServer, type Received } from './support/server.ts';

function metric(visitors: number): IngestMetricsRequest {
  return { projectId: 'p-1', payload: { visitors } };
}

function bodiesOf(received: Received[]): unknown[] {
  return received.map(({ body }) => JSON.parse(body) as unknown);
}

/** A buffer in front of a client, and everything that was dropped. */
function bufferOf(url: string, options: MetricsBufferOptions = {}) {
  const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: url, maxRetries: 0 });
  const dropped: DroppedMetric[] = [];
  const buffer = new MetricsBuffer(client, { onDrop: (one) => dropped.push(one), ...options });
  return { buffer, dropped };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a metrics buffer', () => {
  test('flush sends all that wait, each once, several at a time', async () => {
    let now = 0;
    let most = 0;
    const { url, received } = await startServer((response) => {
      now += 1;
      most = Math.max(most, now);
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
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  test('keeps a metric as it was when it was added', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const { buffer } = bufferOf(url);
    const changing = metric(1);
    buffer.add(changing);
    changing.payload['visitors'] = 2;
    await buffer.flush();
    expect(bodiesOf(received)).toEqual([metric(1)]);
  });

  test('sends by itself after the flush interval, and leaves no timer then', async () => {
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
    await vi.waitFor(() => expect(buffer.size).toBe(0));
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps the process alive until what waits is sent, and no longer', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const program = `
      import { MetricsBuffer, Nameplate } from ${JSON.stringify(new URL('../../client/src/index.ts', import.meta.url).href)};
      const client = new Nameplate({ apiKey: 'np_test.secret', baseUrl: '${url}' });
      new MetricsBuffer(client, { flushInterval: 200 }).add(${JSON.stringify(metric(7))});
    `;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(bodiesOf(received)).toEqual([metric(7)]);
  });

  test('is bounded by number and by characters: what does not fit is dropped as full', async () => {
    const { url } = await startServer((response) => json(response, 200, {}));
    const few = bufferOf(url, { maxSize: 2 });
    expect([1, 2, 3].map((count) => few.buffer.add(metric(count)))).toEqual([true, true, false]);
    expect(few.dropped).toEqual([{ metric: metric(3), reason: 'full' }]);
    expect(await few.buffer.flush()).toEqual({ sent: 2, dropped: [] });
    expect(few.buffer.add(metric(4))).toBe(true);
    await few.buffer.close();

    const small = bufferOf(url, { maxCharacters: 60 });
    expect(small.buffer.add(metric(1))).toBe(true);
    expect(small.buffer.add(metric(2))).toBe(false);
    expect(small.dropped).toEqual([{ metric: metric(2), reason: 'full' }]);
    await small.buffer.close();
  });

  test('repeats what may pass, with the same Idempotency-Key, until it is stored', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { url, received } = await startServer((response, _request, count) => {
      if (count === 1) json(response, 500, { error: 'Failed.' }, { 'retry-after': '0' });
      else if (count === 2) json(response, 429, { error: 'Slow.' }, { 'retry-after': '0' });
      else json(response, 200, {});
    });
    const { buffer } = bufferOf(url);
    buffer.add(metric(1));
    expect(await buffer.flush()).toEqual({ sent: 1, dropped: [] });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(bodiesOf(received)).toEqual([metric(1), metric(1), metric(1)]);
  });

  test('drops as failed after the last attempt, with the error', async () => {
    const { url, received } = await startServer((response) =>
      json(response, 500, { error: 'Failed.' }, { 'retry-after': '0' }),
    );
    const { buffer, dropped } = bufferOf(url, { maxAttempts: 2 });
    buffer.add(metric(1));
    const result = await buffer.flush();
    expect(received).toHaveLength(2);
    expect(result).toEqual({
      sent: 0,
      dropped: [
        { metric: metric(1), reason: 'failed', error: expect.objectContaining({ status: 500 }) },
      ],
    });
    expect(dropped).toEqual(result.dropped);
  });

  test('drops as refused what the server refuses, at once, and stores the others', async () => {
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
      { metric: metric(2), reason: 'refused', error: expect.objectContaining({ status: 403 }) },
    ]);
    expect(dropped).toEqual(result.dropped);
  });

  test('drops as invalid what cannot be written as JSON', () => {
    const { buffer, dropped } = bufferOf('http://127.0.0.1:1');
    const unwritable = { projectId: 'p-1', payload: { big: 1n } };
    expect(buffer.add(unwritable)).toBe(false);
    expect(dropped).toEqual([
      { metric: unwritable, reason: 'invalid', error: expect.any(TypeError) },
    ]);
  });

  test('close sends the rest, and what is added later is dropped as closed', async () => {
    const { url, received } = await startServer((response) => json(response, 200, {}));
    const { buffer, dropped } = bufferOf(url);
    buffer.add(metric(1));
    const closing = buffer.close();
    expect(buffer.add(metric(2))).toBe(false);
    expect(await closing).toEqual({ sent: 1, dropped: [] });
    expect(dropped).toEqual([{ metric: metric(2), reason: 'closed' }]);
    expect(received).toHaveLength(1);
    expect(await buffer.close()).toEqual({ sent: 0, dropped: [] });
  });

  test('close with an aborted signal drops the rest as aborted and ends', async () => {
    const controller = new AbortController();
    const { url } = await startServer(() => controller.abort());
    const { buffer, dropped } = bufferOf(url, { concurrency: 1 });
    for (const count of [1, 2, 3]) buffer.add(metric(count));
    const result = await buffer.close({ signal: controller.signal });
    expect(result.sent).toBe(0);
    expect(result.dropped.map(({ reason }) => reason)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(dropped).toEqual(result.dropped);
  });

  test('what is added, sent and dropped always adds up, and two flushes at once agree', async () => {
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

  test('an onDrop that throws does not keep the others from being sent', async () => {
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

  test('without onDrop a drop is a warning on the console', async () => {
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const client = new Nameplate({ apiKey: 'np_test.secret' });
    const buffer = new MetricsBuffer(client);
    await buffer.close();
    buffer.add(metric(1));
    expect(warning).toHaveBeenCalledExactlyOnceWith('Nameplate: a metric was dropped (closed).');
  });

  test.for(['maxSize', 'maxCharacters', 'concurrency', 'flushInterval', 'maxAttempts'])(
    '%s must be a number of at least 1',
    (name) => {
      const client = new Nameplate({ apiKey: 'np_test.secret' });
      expect(() => new MetricsBuffer(client, { [name]: 0 })).toThrow(NameplateError);
      expect(() => new MetricsBuffer(client, { [name]: Number.NaN })).toThrow(NameplateError);
    },
  );
});
