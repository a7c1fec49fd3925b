import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server on loopback, by default on a free port. `close` ends its connections, too. */
export async function listen(server: Server | HttpServer, wantedPort = 0) {
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, url: `http://127.0.0.1:${port}`, close };
}

export function respondJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
