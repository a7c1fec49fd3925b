import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerContract } from '../http/adapter.ts';
import { toRequestError } from '../http/error-answer.ts';
import { acceptJsonOnly } from '../http/json-body.ts';
import { answerUnrouted } from '../http/transport.ts';
import type { AdminContext, AdminDependencies } from './context.ts';
import { adminContract } from './contract/index.ts';
import { accountsRoutes } from './routes/accounts.ts';
import { eventsRoutes } from './routes/events.ts';
import { forwardingRoutes } from './routes/forwarding.ts';
import { keysRoutes } from './routes/keys.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { migrationsRoutes } from './routes/migrations.ts';
import { projectsRoutes } from './routes/projects.ts';

/** The application behind the commands. Whoever can reach it may do everything. */
export async function buildAdminApp(
  dependencies: AdminDependencies,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      { method: request.method, path: request.routeOptions.url, status: reply.statusCode },
      'administration',
    );
  });
  acceptJsonOnly(app);
  answerUnrouted(app);
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRequestError(error, request);
    if (refusal.status >= 500) request.log.error({ err: error }, refusal.message);
    return reply.status(refusal.status).send({ error: explain(refusal) });
  });
  const context: AdminContext = { ...dependencies, stopping: stopping.signal };
  await app.register(async (scope) =>
    registerContract<typeof adminContract, AdminContext>(
      scope,
      adminContract,
      {
        accounts: accountsRoutes,
        keys: keysRoutes,
        projects: projectsRoutes,
        metrics: metricsRoutes,
        events: eventsRoutes,
        forwarding: forwardingRoutes,
        migrations: migrationsRoutes,
      },
      (_request, _reply, handle) => handle(context),
    ),
  );
  await app.ready();
  return app;
}

/** An operator may know the cause of a failure, which callers of the API may not. */
function explain({ status, message, cause }: Error & { status: number }): string {
  return status >= 500 && cause instanceof Error ? `${message} (${cause.message})` : message;
}
