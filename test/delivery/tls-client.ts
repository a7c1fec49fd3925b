import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';

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

/**
 * Creates a function that sends HTTPS requests and verifies certificates. The host defaults to
 * `name`.
 */
export function createTlsClient(
  { port, name }: { port: number; name: string },
  getCaCertificate: () => string,
): SendRequest {
  return async (path, options = {}, body) => {
    const clientRequest = request({
      host: '127.0.0.1',
      port,
      path,
      ca: getCaCertificate(),
      servername: name,
      agent: false,
      ...options,
      headers: { host: options.servername ?? name, ...(options.headers as object) },
    });
    clientRequest.end(body);
    const [response] = await once(clientRequest, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  };
}
