import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { authenticatedEndpoints, unauthenticatedEndpoints } from '../../support/endpoints.ts';
import { expectRefusal, sendRaw } from '../../support/raw-socket.ts';
import type { TestAccount, TestApp } from '../../support/test-app.ts';

/** Expects 404 from every endpoint at a host, even with an API key. */
export async function expectNoEndpoints(
  { app }: TestApp,
  { key }: TestAccount,
  host: string,
): Promise<void> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const headers = `Host: ${host}\r\nX-API-KEY: ${key}\r\nConnection: close`;
  // Injected requests would be checked against the OpenAPI documents, which do not apply here.
  for (const { method, path } of [...authenticatedEndpoints, ...unauthenticatedEndpoints]) {
    const [response] = await sendRaw(port, `${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    expectRefusal(response, 404);
    expect(response!.body).toMatch(/There is (?:nothing at this path|no such page)\./);
    expect(response!.headers).not.toHaveProperty('set-cookie');
  }
}
