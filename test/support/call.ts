import type { FastifyInstance, InjectOptions } from 'fastify';

/** A request as it goes over the wire, well formed or not; GET unless it says otherwise. */
export interface Call {
  method?: string;
  path: string;
  key?: string | undefined;
  payload?: string | Buffer | undefined;
  headers?: Record<string, string | string[]>;
  /** Where it comes from; from this machine if it is not said. */
  remoteAddress?: string;
}

/** An answer; the body is undefined if there is none. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: unknown;
}

/** Calls the application with any bytes, as JSON unless `headers` say otherwise. */
export async function call(app: FastifyInstance, request: Call): Promise<Reply> {
  const { method = 'GET', path, key, payload, headers, remoteAddress } = request;
  const answer = await app.inject({
    method: method,
    url: path,
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  } as InjectOptions);
  const received = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    status: answer.statusCode,
    headers: received,
    text: answer.payload,
    body: answer.payload === '' ? undefined : (JSON.parse(answer.payload) as unknown),
  };
}

/** Calls the application with a value as JSON. */
export function callJson(
  app: FastifyInstance,
  { json, ...request }: Omit<Call, 'payload'> & { json: unknown },
): Promise<Reply> {
  return call(app, { ...request, payload: JSON.stringify(json) });
}
