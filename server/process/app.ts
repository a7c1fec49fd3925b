import type { FastifyInstance } from 'fastify';
import { api } from '../api/api.ts';
import type { Dependencies } from '../api/dependencies.ts';
import { createServer } from '../http/server.ts';
import { type PageDependencies, pages } from '../pages/pages.ts';

/** What all doors work with. */
export type AppDependencies = Dependencies & PageDependencies;

/** The application: every door on one HTTP server. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const app = createServer(dependencies);
  await app.register(api(dependencies));
  await app.register(pages(dependencies));
  return app;
}
