import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a server that misbehaves as the first path segment says: `redirect` redirects, `silent`
 * never responds, `endless` never ends the body, `html` responds with HTML, `busy` and `lost` fail
 * once per Idempotency-Key and then succeed.
 */
export async function startMisbehavingServer(): Promise<{ url: string; stop: () => void }> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const kind = request.url?.split('/')[1];
    const key = `${kind} ${String(request.headers['idempotency-key'])}`;
    const isRetry = seen.has(key);
    seen.add(key);
    request.resume();
    if (kind === 'redirect') response.writeHead(307, { location: '/elsewhere' }).end();
    else if (kind === 'silent') return;
    else if (kind === 'endless') response.writeHead(200).write('{');
    else if (kind === 'html') response.writeHead(502).end('<html>Bad gateway</html>');
    else if (kind === 'busy' && !isRetry)
      response.writeHead(503, { 'retry-after': '0' }).end('{"error":"Busy."}');
    else if (kind === 'lost' && !isRetry) response.destroy();
    else response.end(JSON.stringify({ success: true, newStatus: true, kind, isRetry }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
