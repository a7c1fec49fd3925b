import type { Reads } from '#db/connections/databases.ts';
import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import {
  jsonContract,
  unauthenticatedContract,
  operatorContract,
  uploadContract,
} from '#contract/owner/index.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';
import type { Database } from '#db/schema.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { registerContract } from '../http/contract/adapter.ts';
import { jsonSurface } from '../http/surface.ts';
import { type Guarding, guard, guardOpen } from '../http/access/guard.ts';
import { acceptJsonOnly } from '../http/contract/json-body.ts';
import type { SignUpService } from '../features/sign-up/sign-up-service.ts';
import type { Whereabouts } from '../http/access/own-host.ts';
import { originOf } from '../http/access/public-origin.ts';
import { UPLOAD_BYTES } from '../limits/bytes-under-way.ts';
import type { Allowances } from '../limits/allowances/allowances.ts';
import type { StoredVolumes } from '../limits/allowances/stored-volumes.ts';
import type { CustomDomains } from '../features/domains/custom-domains.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Forwarding } from '../features/forwarding/forwarding.ts';
import { createMetricQueryRunner } from '../features/metrics/metric-query-runner.ts';
import type { DisplayNameDeps } from '../features/names/change-display-name.ts';
import type { PageSource } from '../features/page-import/page-source.ts';
import type { Registration } from '../settings/registration.ts';
import type { PreviewDeps } from '../features/sites/preview.ts';
import { PasskeyChallenges } from '../features/passkeys/passkey-challenges.ts';
import { acceptFiles } from './accept-files.ts';
import type { ChatService } from '../features/chat/chat-service.ts';
import type { WebhookStoreDeps } from '../features/chat/stored-webhooks.ts';
import { admitOperators } from './admit-operators.ts';
import { accountRoutes } from '../features/accounts/owner-routes.ts';
import { alertRoutes } from '../features/alerts/owner-routes.ts';
import { domainRoutes } from '../features/domains/owner-routes.ts';
import { eventRoutes } from '../features/events/owner-routes.ts';
import { forwardingRoutes } from '../features/forwarding/owner-routes.ts';
import { identitiesRoutes } from '../features/sign-on/owner-routes.ts';
import { keysRoutes } from '../features/keys/owner-routes.ts';
import { loginRoutes } from '../features/sessions/login-routes.ts';
import { metricsRoutes } from '../features/metrics/owner-routes.ts';
import { operatorRoutes } from '../features/operators/owner-routes.ts';
import { pageRoutes } from '../features/sites/owner-routes.ts';
import { passkeyLoginRoutes, passkeysRoutes } from '../features/passkeys/owner-routes.ts';
import { picturesRoutes, uploadRoutes } from '../features/pictures/owner-routes.ts';
import { projectsRoutes } from '../features/projects/owner-routes.ts';
import { invitationsRoutes, registrationRoutes } from '../features/sign-up/owner-routes.ts';
import { sessionRoutes } from '../features/sessions/owner-routes.ts';
import { type VisitorSettings, visitorsRoutes } from '../features/visitors/owner-routes.ts';
import { webhookRoutes } from '../features/chat/owner-routes.ts';
import { runOnce } from '../http/contract/idempotency.ts';
import { runUnauthenticated } from '../http/access/run-unauthenticated.ts';

/** Dependencies of the owner contract. */
export interface OwnerDependencies
  extends
    Guarding,
    PreviewDeps,
    DisplayNameDeps,
    VisitorSettings,
    WebhookStoreDeps,
    Pick<Whereabouts, 'pagesUrl'> {
  db: Kysely<Database>;
  /** Where single reading statements run; may be the same. */
  reads: Reads;
  queues: DatabaseQueues;
  volumes: StoredVolumes;
  forwarding: Forwarding;
  outbox: Outbox;
  chat: ChatService;
  allowances: Allowances;
  /** Undefined if the server has no custom domains. */
  customDomains?: CustomDomains | undefined;
  /** Hosts of the server, which nobody can claim. */
  ownHosts: readonly string[];
  /** Where pages are imported from. */
  pageSource: PageSource;
  jobs: Pick<JobQueue, 'add'>;
  /** Who can create an account. */
  registration: Registration;
  signUps: SignUpService;
}

/** The owner contract: what an owner does beside the API, with a key or from a browser. */
export function owner(dependencies: OwnerDependencies): FastifyPluginAsync {
  return jsonSurface(async (scope) => {
    acceptJsonOnly(scope);
    const origin = () => originOf(scope, dependencies.publicUrl);
    const challenges = new PasskeyChallenges(dependencies.db);
    const pagesOrigin = () => originOf(scope, dependencies.pagesUrl);
    await scope.register(async (open) => {
      guardOpen(open, dependencies);
      registerContract(
        open,
        unauthenticatedContract,
        {
          session: loginRoutes(dependencies),
          passkeys: passkeyLoginRoutes(dependencies.cookie, origin, challenges),
          invitations: invitationsRoutes(dependencies, dependencies.cookie, {
            isOpen: dependencies.registration !== 'closed',
            needsEmail: dependencies.outbox.isAvailable,
          }),
          registration: registrationRoutes(dependencies, dependencies.cookie, dependencies.signUps),
        },
        runUnauthenticated(dependencies),
      );
    });
    await scope.register(async (guarded) => {
      guard(guarded, dependencies);
      const readMetrics = createMetricQueryRunner(dependencies.queues.metricReads);
      registerContract(
        guarded,
        jsonContract,
        {
          session: sessionRoutes(dependencies.cookie, dependencies.allowances, dependencies.outbox),
          page: pageRoutes(dependencies, pagesOrigin),
          visitors: visitorsRoutes(dependencies),
          alerts: alertRoutes(dependencies),
          webhooks: webhookRoutes(dependencies),
          events: eventRoutes,
          metrics: metricsRoutes(readMetrics, dependencies.jobs),
          forwarding: forwardingRoutes(
            dependencies.forwarding,
            dependencies.outbox,
            dependencies.mailDomain,
          ),
          keys: keysRoutes(dependencies.allowances, dependencies.outbox),
          projects: projectsRoutes(dependencies.allowances),
          account: accountRoutes(dependencies),
          passkeys: passkeysRoutes(
            origin,
            challenges,
            dependencies.allowances,
            dependencies.outbox,
          ),
          identities: identitiesRoutes(dependencies.allowances, dependencies.outbox),
          domains: domainRoutes(dependencies),
          pictures: picturesRoutes(dependencies.allowances, pagesOrigin),
        },
        runOnce(dependencies),
      );
      await guarded.register(async (operators) => {
        admitOperators(operators, dependencies);
        registerContract(
          operators,
          operatorContract,
          { operator: operatorRoutes(dependencies, origin) },
          runOnce(dependencies),
        );
      });
    });
    await scope.register(async (uploading) => {
      acceptFiles(uploading);
      await uploading.register(async (guarded) => {
        guard(guarded, dependencies, UPLOAD_BYTES);
        registerContract(
          guarded,
          uploadContract,
          { pictures: uploadRoutes(dependencies, pagesOrigin) },
          runOnce(dependencies),
        );
      });
    });
  });
}
