import type { FastifyInstance } from 'fastify';
import { api } from '../api/api.ts';
import type { Dependencies } from '../api/dependencies.ts';
import { createServer } from '../http/server.ts';
import { pages } from '../pages/pages.ts';

/** The application: every door on one HTTP server. */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const app = createServer(dependencies);
  await app.register(api(dependencies));
  await app.register(pages(dependencies));
  return app;
}
