import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';

/** A response received through a proxy. */
interface ProxyResponse {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Sends a request to a proxy on loopback. `servername` is the requested host. */
export type SendRequest = (
  path: string,
  options?: RequestOptions,
  body?: string,
) => Promise<ProxyResponse>;

/** Sends requests over TLS and verifies the certificate with a CA. The default host is `name`. */
export function createTlsClient(
  { port, name }: { port: number; name: string },
  authority: () => string,
): SendRequest {
  return async (path, options = {}, body) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      ca: authority(),
      servername: name,
      agent: false,
      ...options,
      headers: { host: options.servername ?? name, ...(options.headers as object) },
    });
    asked.end(body);
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += part;
    return { status: response.statusCode, headers: response.headers, text };
  };
}
