import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DroppedMetric,
  type IngestMetricsRequest,
  InternalServerError,
  MetricsBuffer,
  type MetricsBufferOptions,
  Nameplate,
} from '#client/index.ts';
import { runTimersUntil } from './support/run-timers-until.ts';

const apiKey = 'np_test.secret';

function metric(visitors: number): IngestMetricsRequest {
  return { projectId: 'p-1', payload: { visitors } };
}

describe('while every request fails', () => {
  /** Creates a buffer whose requests get the result of `respond`, and records its requests. */
  function startBuffer(
    respond: () => Response | Error | Promise<Response>,
    options: MetricsBufferOptions = {},
  ) {
    const startedAt = performance.now();
    const requestTimes: number[] = [];
    const keys: string[] = [];
    const client = new Nameplate({
      apiKey,
      fetch: (_input, init) => {
        requestTimes.push(performance.now() - startedAt);
        keys.push(init.headers['idempotency-key']!);
        const result = respond();
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
    });
    const buffer = new MetricsBuffer(client, { onDrop: () => {}, ...options });
    return { buffer, requestTimes, keys, elapsed: () => performance.now() - startedAt };
  }

  function errorResponse(status: number, headers: Record<string, string> = {}): () => Response {
    return () => Response.json({ error: 'No.' }, { status, headers });
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it.for([
    ['502', errorResponse(502)],
    ['500 without Retry-After', errorResponse(500)],
    ['503 with Retry-After', errorResponse(503, { 'retry-after': '1' })],
    ['429', errorResponse(429, { 'retry-after': '30' })],
    ['408', errorResponse(408)],
    ['a lost connection', () => new TypeError('fetch failed')],
    ['a timeout', () => new Promise<Response>(() => {})],
  ] as const)(
    'while every request fails, no metrics are lost during a minute of failures: %s',
    async ([, respond]) => {
      const { buffer, elapsed, keys } = startBuffer(() =>
        elapsed() < 60_000 ? respond() : Response.json({}),
      );
      for (let count = 0; count < 20; count += 1) buffer.add(metric(count));
      const flushed = buffer.flush();
      await vi.advanceTimersByTimeAsync(10_000);
      buffer.add(metric(20));
      const closing = buffer.close();
      expect(await runTimersUntil(closing)).toEqual({ sent: 21, dropped: [] });
      expect(await flushed).toEqual({ sent: 20, dropped: [] });
      expect(new Set(keys).size).toBe(21);
      expect({ sent: buffer.sent, dropped: buffer.dropped }).toEqual({ sent: 21, dropped: 0 });
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('while every request fails, a dropped metric that is added again keeps its key, so that it is not stored twice', async () => {
    const dropped: DroppedMetric[] = [];
    const { buffer, keys } = startBuffer(
      () => (dropped.length < 2 ? errorResponse(502)() : Response.json({})),
      { maxRetryTime: 1, onDrop: (item) => dropped.push(item) },
    );
    buffer.add(metric(10), { idempotencyKey: 'mine' });
    buffer.add(metric(11));
    await buffer.flush();
    expect(dropped.map(({ reason }) => reason)).toEqual(['failed', 'failed']);
    for (const item of dropped) buffer.add(item.metric, item);
    expect(await buffer.close()).toEqual({ sent: 2, dropped: [] });
    expect(keys[0]).toBe('mine');
    expect(keys.slice(2)).toEqual(keys.slice(0, 2));
  });

  it.for([errorResponse(502), errorResponse(503, { 'retry-after': '0' })])(
    'while every request fails, a metric is dropped when maxRetryTime has passed since its first attempt',
    async (respond) => {
      const { buffer, requestTimes } = startBuffer(respond, { maxRetryTime: 20_000 });
      buffer.add(metric(1));
      const flushed = buffer.flush();
      expect(await runTimersUntil(flushed)).toEqual({
        sent: 0,
        dropped: [
          {
            metric: metric(1),
            idempotencyKey: expect.any(String) as string,
            reason: 'failed',
            error: expect.any(InternalServerError) as Error,
          },
        ],
      });
      // These are the client's normal retry delays.
      expect(requestTimes).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500]);
    },
  );

  it('maxRetryTime of a metrics buffer defaults to five minutes', async () => {
    const { buffer, elapsed } = startBuffer(errorResponse(502));
    buffer.add(metric(1));
    const flushed = buffer.flush();
    await runTimersUntil(flushed);
    expect(elapsed()).toBeGreaterThan(290_000);
    expect(elapsed()).toBeLessThanOrEqual(300_000);
  });

  it('while every request fails, a metric before its first attempt is kept until the buffer is full', async () => {
    const { buffer, elapsed } = startBuffer(
      () => (elapsed() < 30_000 ? errorResponse(502)() : Response.json({})),
      { maxRetryTime: 10_000, concurrency: 2, maxSize: 50 },
    );
    for (let count = 0; count < 60; count += 1) buffer.add(metric(count));
    expect(buffer.dropped).toBe(10);
    const flushed = buffer.flush();
    const { sent, dropped } = await runTimersUntil(flushed);
    expect(sent + dropped.length).toBe(50);
    expect(dropped.length).toBeLessThanOrEqual(8);
  });

  it('while every request fails, close gives up when maxRetryTime has passed since the call', async () => {
    const { buffer, elapsed } = startBuffer(errorResponse(502), {
      maxRetryTime: 10_000,
      concurrency: 1,
    });
    for (let count = 0; count < 20; count += 1) buffer.add(metric(count));
    const closing = buffer.close();
    const { sent, dropped } = await runTimersUntil(closing);
    expect(sent).toBe(0);
    expect(dropped.map(({ reason }) => reason)).toEqual(Array(20).fill('failed'));
    expect(elapsed()).toBeLessThanOrEqual(10_000);
  });

  describe('during a rate limit that ends in a day', () => {
    const DAY_MS = 86_400_000;
    function startRateLimited(options: MetricsBufferOptions = {}) {
      const context = startBuffer(() => {
        const secondsLeft = Math.ceil((DAY_MS - context.elapsed()) / 1_000);
        return secondsLeft > 0
          ? errorResponse(429, { 'retry-after': `${secondsLeft}` })()
          : Response.json({});
      }, options);
      return context;
    }

    it('during a rate limit that ends in a day, metrics are buffered, and sent only after the limit has reset', async () => {
      const { buffer, requestTimes } = startRateLimited({ concurrency: 2 });
      for (let count = 0; count < 5; count += 1) buffer.add(metric(count));
      const flushed = buffer.flush();
      await vi.advanceTimersByTimeAsync(DAY_MS - 1);
      expect(requestTimes).toEqual([0, 0]);
      expect([buffer.size, buffer.dropped]).toEqual([5, 0]);
      expect(await runTimersUntil(flushed)).toEqual({ sent: 5, dropped: [] });
      expect(requestTimes).toEqual([0, 0, DAY_MS, DAY_MS, DAY_MS, DAY_MS, DAY_MS]);
    });

    it('an outage after a rate limit has the full maxRetryTime', async () => {
      const { buffer, requestTimes, elapsed } = startBuffer(
        () =>
          elapsed() < DAY_MS
            ? errorResponse(429, { 'retry-after': '86400' })()
            : elapsed() < DAY_MS + 15_000
              ? errorResponse(502)()
              : Response.json({}),
        { maxRetryTime: 20_000 },
      );
      buffer.add(metric(1));
      const flushed = buffer.flush();
      expect(await runTimersUntil(flushed)).toEqual({ sent: 1, dropped: [] });
      expect(requestTimes.length).toBeLessThan(10);
    });

    it('during a rate limit that ends in a day, close immediately drops metrics that cannot be sent in time, with errors that have `retryAt`', async () => {
      const { buffer, requestTimes, elapsed } = startRateLimited({
        maxRetryTime: 10_000,
        concurrency: 1,
      });
      for (let count = 0; count < 3; count += 1) buffer.add(metric(count));
      void buffer.flush();
      await vi.advanceTimersByTimeAsync(60_000);
      const retryAt = new Date(Date.now() - 60_000 + DAY_MS);
      const closing = buffer.close();
      await vi.advanceTimersByTimeAsync(0);
      const { sent, dropped } = await closing;
      expect(sent).toBe(0);
      expect(dropped).toEqual(
        [0, 1, 2].map((count) => ({
          metric: metric(count),
          idempotencyKey: expect.any(String) as string,
          reason: 'failed',
          error: expect.objectContaining({ status: 429, retryAt }) as Error,
        })),
      );
      expect(elapsed()).toBe(60_000);
      expect(requestTimes).toHaveLength(3);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
