import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from '#test/support/listen.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  origin: string;
  /** A URL of its own, with the requests that it received. The default responds with 204. */
  addHook: (
    respond?: (response: ServerResponse, requests: ReceivedRequest[]) => unknown,
    path?: string,
  ) => {
    url: string;
    path: string;
    requests: ReceivedRequest[];
  };
  /** Receives requests to `/`, as ntfy does. */
  onRoot: (request: ReceivedRequest, response: ServerResponse) => void;
  /** Requests to `path` go to the hook at `otherPath`. */
  replaceHook: (path: string, otherPath: string) => void;
  close: () => Promise<void>;
}

/** A program on loopback that receives webhooks. Its origin belongs into CONNECTION_PRIVATE_ORIGINS. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const hooks = new Map<string, (request: ReceivedRequest, response: ServerResponse) => unknown>();
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { method = '', url: path = '', headers } = request;
      const hook = hooks.get(path);
      if (path === '/') {
        receiver.onRoot({ method, path, headers, body }, response);
        if (!response.writableEnded) response.end('{}');
      } else if (hook) hook({ method, path, headers, body }, response);
      else response.writeHead(404).end(`Cannot POST ${path}`);
    })();
  });
  const { url: origin, close } = await listen(server, port);
  const receiver: Receiver = {
    origin,
    onRoot: () => {},
    addHook: (
      respond = (response) => response.writeHead(204).end(),
      path = `/hooks/${hooks.size}`,
    ) => {
      const requests: ReceivedRequest[] = [];
      hooks.set(path, (request, response) => {
        requests.push(request);
        respond(response, requests);
      });
      return { url: origin + path, path, requests };
    },
    replaceHook: (path, otherPath) => hooks.set(path, hooks.get(otherPath)!),
    close,
  };
  return receiver;
}
