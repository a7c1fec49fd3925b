import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import {
  createPageFetcher,
  type PageFetcherOptions,
} from '#server/features/page-import/page-fetcher.ts';

/** An HTTPS server on loopback with pages to import. */
export interface PageServer {
  /** `localhost:port`. */
  host: string;
  requests: Pick<IncomingMessage, 'url' | 'headers'>[];
  /** Creates a page fetcher that may call this server and trusts its certificate. */
  createFetcher: (options?: PageFetcherOptions) => ReturnType<typeof createPageFetcher>;
  close: () => Promise<void>;
}

/** Starts a server with a listener per path. Other paths return 404. */
export async function startPageServer(pages: Record<string, RequestListener>): Promise<PageServer> {
  const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  const requests: PageServer['requests'] = [];
  const server = createServer(
    { key: certificate.private, cert: certificate.cert },
    (request, response) => {
      requests.push(request);
      const listener = pages[request.url ?? ''];
      if (listener) listener(request, response);
      else response.writeHead(404).end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    host,
    requests,
    createFetcher: (options) =>
      createPageFetcher({ testHost: host, ca: certificate.cert, ...options }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function respondWithHtml(html: string): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}
