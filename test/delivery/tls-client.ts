import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';

/** An answer through a proxy. */
interface Proxied {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Sends a request to a proxy on loopback; `servername` is the host that is asked. */
export type Ask = (path: string, options?: RequestOptions, body?: string) => Promise<Proxied>;

/** Asks a proxy over TLS, whose certificate is checked against an authority; the host is `name` unless told. */
export function askOverTls(
  { port, name }: { port: number; name: string },
  authority: () => string,
): Ask {
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
    const [answer] = await once(asked, 'response');
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part;
    return { status: answer.statusCode, headers: answer.headers, text };
  };
}
