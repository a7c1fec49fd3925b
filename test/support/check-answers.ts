import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { checkResponse } from './openapi-check.ts';

/** Holds every answer that an application gives in this process against openapi.json. */
export function checkAnswers(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (
    options: InjectOptions,
  ) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions) => {
    const answer = await inject(options);
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, String(value));
    const path = String(options.url).split(/[?#]/, 1)[0] ?? '';
    checkResponse(options.method ?? 'GET', path, answer.statusCode, headers, answer.payload);
    return answer;
  }) as typeof app.inject;
}
