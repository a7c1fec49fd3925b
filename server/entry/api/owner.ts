import type { FastifyPluginAsync, FastifyError, FastifyInstance } from 'fastify';
import {
  authenticatedJsonContract,
  unauthenticatedContract,
  operatorContract,
  uploadContract,
} from '#contract/owner/index.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { accountRoutes } from '#server/features/accounts/owner-routes.ts';
import { groupAddressRoutes } from '#server/features/addresses/group-addresses.ts';
import { addressRoutes } from '#server/features/addresses/owner-routes.ts';
import { alertRoutes } from '#server/features/alerts/owner-routes.ts';
import { connectionRoutes } from '#server/features/connections/owner-routes.ts';
import { domainRoutes } from '#server/features/domains/owner-routes.ts';
import { eventRoutes } from '#server/features/events/owner-routes.ts';
import { forwardingRoutes } from '#server/features/forwarding/owner-routes.ts';
import { keysRoutes } from '#server/features/keys/owner-routes.ts';
import { metricsRoutes } from '#server/features/metrics/owner-routes.ts';
import { instanceRoutes } from '#server/features/instance/owner-routes.ts';
import { mailServerRoutes } from '#server/features/mails/mail-server-routes.ts';
import { messageRoutes } from '#server/features/messages/owner-routes.ts';
import { memberRoutes } from '#server/features/operators/member-routes.ts';
import { auditRoutes, reportRoutes } from '#server/features/operators/owner-routes.ts';
import { serverRoutes } from '#server/features/operators/server-routes.ts';
import { passkeyLoginRoutes, passkeysRoutes } from '#server/features/passkeys/owner-routes.ts';
import { pictureRoutes, uploadRoutes } from '#server/features/pictures/owner-routes.ts';
import { projectsRoutes } from '#server/features/projects/owner-routes.ts';
import { loginRoutes } from '#server/features/sessions/login-routes.ts';
import { sessionRoutes } from '#server/features/sessions/owner-routes.ts';
import { identitiesRoutes } from '#server/features/sign-on/owner-routes.ts';
import {
  invitationsRoutes,
  memberListRoutes,
  operatorInvitationsRoutes,
} from '#server/features/invitations/owner-routes.ts';
import { signUpRoutes } from '#server/features/sign-up/owner-routes.ts';
import { pageRoutes } from '#server/features/sites/owner-routes.ts';
import { visitorsRoutes } from '#server/features/visitors/owner-routes.ts';
import {
  guardAuthenticated,
  guardUnauthenticated,
} from '#server/platform/http/access/authentication-guard.ts';
import { createUnauthenticatedRunner } from '#server/platform/http/contract/unauthenticated-runner.ts';
import { auditHandlers } from '#server/platform/http/contract/audited-runner.ts';
import { createAuthenticatedRunner } from '#server/platform/http/contract/authenticated-runner.ts';
import { acceptJsonOnly } from '#server/platform/http/contract/json-body.ts';
import { registerContract } from '#server/platform/http/contract/register-contract.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import { UPLOAD_LIMIT } from '#server/platform/limits/in-flight-bytes.ts';
import { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { sendError } from '#server/platform/http/responses/error-response.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { requireOperator } from './require-operator.ts';
import type { Services } from '#server/features/services.ts';

export function createOwnerPlugin(app: Services): FastifyPluginAsync {
  const runHandler = auditHandlers(createAuthenticatedRunner(app));
  return createJsonEntryPoint(async (server) => {
    acceptJsonOnly(server);
    await server.register(async (unauthenticated) => {
      guardUnauthenticated(unauthenticated, app);
      unauthenticated.addHook('onRoute', (route) => {
        route.bodyLimit = LIMITS.unauthenticatedBodyBytes;
      });
      const handlers = {
        sessions: loginRoutes(app),
        passkeys: passkeyLoginRoutes(app),
        invitations: invitationsRoutes(app),
        account: signUpRoutes(app),
      };
      const runLogin = createUnauthenticatedRunner(app);
      registerContract(unauthenticated, unauthenticatedContract, handlers, runLogin);
    });
    await server.register(async (authenticated) => {
      guardAuthenticated(authenticated, app);
      const handlers = {
        sessions: sessionRoutes(app),
        page: pageRoutes(app),
        visitors: visitorsRoutes(app),
        alerts: alertRoutes,
        connections: connectionRoutes(app),
        events: eventRoutes,
        metrics: metricsRoutes(app),
        forwarding: { ...forwardingRoutes(app), ...groupAddressRoutes(app) },
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
        const operatorHandlers = {
          members: memberRoutes(app),
          addresses: addressRoutes(app),
          invitations: { ...operatorInvitationsRoutes(app), ...memberListRoutes(app) },
          messages: messageRoutes(app),
          reports: reportRoutes,
          server: {
            ...serverRoutes(app),
            ...auditRoutes,
            ...instanceRoutes(app),
            ...mailServerRoutes(app),
          },
        };
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

const refuse = createRefuser(PICTURE_FILE_REFUSALS);

const REFUSALS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'pictureTypeUnsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'pictureTooLarge',
} as const;

function acceptFiles(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    // The picture decoder detects the real type.
    /^(?:image\/|application\/octet-stream)/,
    { parseAs: 'buffer', bodyLimit: LIMITS.pictureBytes },
    (_request, body, done) => done(null, body),
  );
  server.setErrorHandler((error, request, reply) => {
    const code = REFUSALS[(error as FastifyError).code as keyof typeof REFUSALS];
    sendError(code ? refuse(code) : error, request, reply);
  });
}
