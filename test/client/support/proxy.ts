import { createServer, request as send } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '#test/support/listen.ts';

/** Starts a forward proxy on loopback that records the requested hosts. It is closed after the test. */
export async function startProxy(): Promise<{ url: string; requestedHosts: string[] }> {
  const requestedHosts: string[] = [];
  // Clients send either an absolute URL or a CONNECT request.
  const proxy = createServer((request, response) => {
    const { url = '', method, headers } = request;
    requestedHosts.push(new URL(url).host);
    const upstream = send(url, { method, headers }, (proxied) => {
      response.writeHead(proxied.statusCode ?? 502, proxied.headers);
      proxied.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  proxy.on('connect', (request, socket) => {
    requestedHosts.push(request.url!);
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const stream of [socket, upstream]) stream.on('error', () => stream.destroy());
  });
  const { url, close } = await listen(proxy);
  onTestFinished(close);
  return { url, requestedHosts };
}
