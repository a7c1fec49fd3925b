import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { contract } from '../../contract/index.ts';
import { registerContract } from '../http/adapter.ts';
import type { Dependencies } from './dependencies.ts';
import { docs } from './docs.ts';
import { answerError } from '../http/error-answer.ts';
import { health } from './health.ts';
import { createMetricWriter } from '../service/metrics/metric-writer.ts';
import { runOnce } from '../http/idempotency.ts';
import { acceptJsonOnly } from '../http/json-body.ts';
import { guard } from '../http/guard.ts';
import { accountRoutes } from './routes/account.ts';
import { emailForwardingRoutes } from './routes/email-forwarding.ts';
import { hooksRoutes } from './routes/hooks.ts';
import { siteRoutes } from './routes/site.ts';
import { statsRoutes } from './routes/stats.ts';
import {
  answerBelowFramework,
  answerUnrouted,
  standardHeaders,
  transportOptions,
} from '../http/transport.ts';

/** The application: every area of the contract, and what surrounds it. */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, authentication, logger } = dependencies;
  const app = Fastify({
    ...transportOptions,
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    return503OnClosing: false,
    frameworkErrors: answerError,
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.decorateRequest('refused');
  // Callbacks instead of promises: these run on every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id));
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        accountId: request.caller?.accountId,
        keyId: request.caller?.via.keyId ?? request.refused?.keyId,
        reason: request.refused?.reason,
      },
      'request',
    );
    done();
  });
  answerBelowFramework(app.server);
  app.setErrorHandler(answerError);
  answerUnrouted(app);
  acceptJsonOnly(app);
  health(app, dependencies);
  await docs(app);

  await app.register(async (api) => {
    await guard(api, authentication, dependencies.limits);
    registerContract(
      api,
      contract,
      {
        account: accountRoutes(dependencies),
        site: siteRoutes,
        emailForwarding: emailForwardingRoutes(dependencies),
        stats: statsRoutes(createMetricWriter(db)),
        hooks: hooksRoutes(dependencies),
      },
      runOnce(dependencies),
    );
  });
  return app;
}
