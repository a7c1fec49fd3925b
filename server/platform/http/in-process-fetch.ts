import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Fetch } from '#client/index.ts';

export function createInProcessFetch(server: FastifyInstance): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const response = await server.inject({
      method: request.method as 'GET',
      url: url.pathname + url.search,
      headers: Object.fromEntries(request.headers),
      ...(body.length > 0 && { payload: body }),
      payloadAsStream: true,
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, String(value));
    return new Response(Readable.toWeb(response.stream()), {
      status: response.statusCode,
      headers,
    });
  };
}
