import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { withShortPath } from './socket.ts';

export interface TransportRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface TransportResponse {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Readable;
}

/** Carries a request to the application of the administration, wherever it runs. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** To the application in this process. */
export function throughMemory(app: FastifyInstance): Transport {
  return async ({ method, path, headers, body }) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      payloadAsStream: true,
      ...(body !== undefined && { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.stream() };
  };
}

/** To the application of the process that listens on the socket in a folder. */
export function throughSocket(folder: string, file: string): Transport {
  return ({ method, path, headers, body }) =>
    withShortPath(folder, file, async (socketPath) => {
      const request = sendRequest({ socketPath, method, path, headers, agent: false });
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return { status: response.statusCode ?? 0, headers: response.headers, body: response };
    });
}
