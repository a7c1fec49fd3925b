import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect } from 'vitest';
import type { Authentication } from '#server/features/sessions/authentication.ts';
import { startHaproxy } from './haproxy.ts';

interface TestApplication {
  app: FastifyInstance;
  authentication: Authentication;
}

/**
 * Makes `first.app.inject` send requests through HAProxy, which alternates between two apps on one
 * database. Closing the first app closes both, and fails if their numbers of requests differ by
 * more than one.
 */
export async function putBehindHaproxy(
  first: TestApplication,
  second: TestApplication & { close: () => Promise<void> },
): Promise<void> {
  const apps = [first.app, second.app] as const;
  const requests = [0, 0] as [number, number];
  for (const [index, { server }] of apps.entries())
    server.on('request', () => {
      requests[index as 0 | 1] += 1;
    });
  // Health checks are off, because tests count queries and log lines.
  const haproxy = await startHaproxy(
    [await listen(first.app), await listen(second.app)],
    [['default-server check', 'default-server no-check']],
  );

  first.app.inject = ((options: string | InjectOptions) =>
    send(haproxy.port, typeof options === 'string' ? { url: options } : options)) as never;
  const close = first.app.close.bind(first.app);
  first.app.close = (async () => {
    await haproxy.stop();
    await Promise.all([close(), second.app.close()]);
    await second.close();
    const [firstCount, secondCount] = requests;
    expect(
      Math.abs(firstCount - secondCount),
      `requests of each: ${firstCount}, ${secondCount}`,
    ).toBeLessThan(2);
  }) as typeof first.app.close;
}

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** Sends the request of an `inject` call over a new connection. */
async function send(port: number, options: InjectOptions) {
  const { method = 'GET', url, headers, payload } = options;
  const clientRequest = request({
    port,
    method,
    path: String(url),
    agent: false,
    headers: {
      host: 'localhost:80',
      ...(payload !== undefined && {
        'content-length': Buffer.byteLength(payload as string | Buffer),
      }),
      ...(headers as Record<string, string>),
    },
  });
  clientRequest.end(payload);
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const rawPayload = Buffer.concat(chunks);
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    payload: rawPayload.toString(),
    rawPayload,
  };
}
