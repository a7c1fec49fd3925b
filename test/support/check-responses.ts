import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { checkResponse } from './openapi-check.ts';

/** Patches `app.inject` so that every response is checked against the OpenAPI documents of all features. */
export function checkResponses(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (
    options: InjectOptions,
  ) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions) => {
    const { payloadAsStream, ...buffered } = Object(options) as InjectOptions;
    // A stream can be read only once.
    const response = await inject(payloadAsStream ? buffered : options);
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, String(value));
    const path = String(options.url).split(/[?#]/, 1)[0] ?? '';
    if (app.pathsOff.has(path)) return response;
    checkResponse(options.method ?? 'GET', path, response.statusCode, headers, response.payload);
    return response;
  }) as typeof app.inject;
}
