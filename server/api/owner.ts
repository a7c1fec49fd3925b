import type { FastifyPluginAsync } from 'fastify';
import {
  authenticatedJsonContract,
  unauthenticatedContract,
  operatorContract,
  uploadContract,
} from '#contract/owner/index.ts';
import { LIMITS } from '#contract/limits.ts';
import type { App } from '../app.ts';
import { accountRoutes } from '../features/accounts/owner-routes.ts';
import { alertRoutes } from '../features/alerts/owner-routes.ts';
import { webhookRoutes } from '../features/chat/owner-routes.ts';
import { domainRoutes } from '../features/domains/owner-routes.ts';
import { eventRoutes } from '../features/events/owner-routes.ts';
import { forwardingRoutes } from '../features/forwarding/owner-routes.ts';
import { keysRoutes } from '../features/keys/owner-routes.ts';
import { metricsRoutes } from '../features/metrics/owner-routes.ts';
import { operatorRoutes } from '../features/operators/owner-routes.ts';
import { passkeyLoginRoutes, passkeysRoutes } from '../features/passkeys/owner-routes.ts';
import { pictureRoutes, uploadRoutes } from '../features/pictures/owner-routes.ts';
import { projectsRoutes } from '../features/projects/owner-routes.ts';
import { loginRoutes } from '../features/sessions/login-routes.ts';
import { sessionRoutes } from '../features/sessions/owner-routes.ts';
import { identitiesRoutes } from '../features/sign-on/owner-routes.ts';
import { invitationsRoutes, signUpRoutes } from '../features/sign-up/owner-routes.ts';
import { pageRoutes } from '../features/sites/owner-routes.ts';
import { visitorsRoutes } from '../features/visitors/owner-routes.ts';
import { guardAuthenticated, guardUnauthenticated } from '../http/access/guard.ts';
import { createUnauthenticatedRunner } from '../http/access/unauthenticated-runner.ts';
import { createAuthenticatedRunner } from '../http/access/authenticated-runner.ts';
import { acceptJsonOnly } from '../http/contract/json-body.ts';
import { registerContract } from '../http/contract/register-contract.ts';
import { createJsonEntryPoint } from '../http/entry-point.ts';
import { UPLOAD_LIMIT } from '../limits/in-flight-bytes.ts';
import { acceptFiles } from './accept-files.ts';
import { requireOperator } from './require-operator.ts';

export function createOwnerPlugin(app: App): FastifyPluginAsync {
  const runHandler = createAuthenticatedRunner(app);
  return createJsonEntryPoint(async (server) => {
    acceptJsonOnly(server);
    await server.register(async (unauthenticated) => {
      guardUnauthenticated(unauthenticated, app);
      unauthenticated.addHook('onRoute', (route) => {
        route.bodyLimit = LIMITS.unauthenticatedBodyBytes;
      });
      const handlers = {
        session: loginRoutes(app),
        passkeys: passkeyLoginRoutes(app),
        invitations: invitationsRoutes(app),
        registration: signUpRoutes(app),
      };
      const runLogin = createUnauthenticatedRunner(app);
      registerContract(unauthenticated, unauthenticatedContract, handlers, runLogin);
    });
    await server.register(async (authenticated) => {
      guardAuthenticated(authenticated, app);
      const handlers = {
        session: sessionRoutes(app),
        page: pageRoutes(app),
        visitors: visitorsRoutes(app),
        alerts: alertRoutes(app),
        webhooks: webhookRoutes(app),
        events: eventRoutes,
        metrics: metricsRoutes(app),
        forwarding: forwardingRoutes(app),
        keys: keysRoutes(app),
        projects: projectsRoutes(app),
        account: accountRoutes(app),
        passkeys: passkeysRoutes(app),
        identities: identitiesRoutes(app),
        domains: domainRoutes(app),
        pictures: pictureRoutes(app),
      };
      registerContract(authenticated, authenticatedJsonContract, handlers, runHandler);
      await authenticated.register(async (operatorOnly) => {
        requireOperator(operatorOnly, app);
        const operatorHandlers = { operator: operatorRoutes(app) };
        registerContract(operatorOnly, operatorContract, operatorHandlers, runHandler);
      });
    });
    await server.register(async (uploads) => {
      acceptFiles(uploads);
      await uploads.register(async (authenticated) => {
        guardAuthenticated(authenticated, app, UPLOAD_LIMIT);
        const handlers = { pictures: uploadRoutes(app) };
        registerContract(authenticated, uploadContract, handlers, runHandler);
      });
    });
  });
}
