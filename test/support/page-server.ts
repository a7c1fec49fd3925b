import type { IncomingMessage, RequestListener } from 'node:http';
import {
  createPageFetcher,
  type PageFetcherOptions,
} from '#server/features/page-import/page-fetcher.ts';
import { startHttpsServer } from './https-server.ts';

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
  const requests: PageServer['requests'] = [];
  const { host, ca, close } = await startHttpsServer((request, response) => {
    requests.push(request);
    const listener = pages[request.url ?? ''];
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  const createFetcher = (options?: PageFetcherOptions) =>
    createPageFetcher({ testHost: host, ca, ...options });
  return { host, requests, createFetcher, close };
}

export function respondWithHtml(html: string): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}
