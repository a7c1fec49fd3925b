import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import {
  authenticatedJsonContract,
  unauthenticatedContract,
  operatorContract,
  uploadContract,
} from '#contract/owner/index.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';
import type { Database } from '#db/schema.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { registerContract } from '../http/contract/register-contract.ts';
import { createJsonEntryPoint } from '../http/entry-point.ts';
import { type GuardDeps, guardAuthenticated, guardUnauthenticated } from '../http/access/guard.ts';
import { acceptJsonOnly } from '../http/contract/json-body.ts';
import type { SignUpService } from '../features/sign-up/sign-up-service.ts';
import type { HostOptions } from '../http/access/hosts.ts';
import { publicOrigin } from '../http/access/public-origin.ts';
import { UPLOAD_LIMIT } from '../limits/in-flight-bytes.ts';
import type { Allowances } from '../limits/allowances/allowances.ts';
import type { DailyUsageTracker } from '#server/limits/allowances/daily-usage-tracker.ts';
import type { CustomDomains } from '../features/domains/custom-domains.ts';
import type { InstanceStore } from '../features/instance/instance-store.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { ForwardingDeps } from '../features/forwarding/change-forwarding.ts';
import type { EmailDomainRules } from '../features/sign-up/sign-up-mail.ts';
import type { Forwarding } from '../features/forwarding/forwarding.ts';
import { createMetricQueryRunner } from '../features/metrics/metric-query-runner.ts';
import type { DisplayNameDeps } from '../features/names/change-display-name.ts';
import type { PageFetcher } from '../features/page-import/page-fetcher.ts';
import type { SignUpMode } from '../settings/sign-up-settings.ts';
import type { PreviewDeps } from '../features/sites/preview.ts';
import { PasskeyChallenges } from '../features/passkeys/passkey-challenges.ts';
import { acceptFiles } from './accept-files.ts';
import type { ChatService } from '../features/chat/chat-service.ts';
import type { WebhookStoreDeps } from '../features/chat/stored-webhooks.ts';
import { requireOperator } from './require-operator.ts';
import { accountRoutes } from '../features/accounts/owner-routes.ts';
import { alertRoutes } from '../features/alerts/owner-routes.ts';
import { domainRoutes } from '../features/domains/owner-routes.ts';
import { eventRoutes } from '../features/events/owner-routes.ts';
import { forwardingRoutes } from '../features/forwarding/owner-routes.ts';
import { identitiesRoutes } from '../features/sign-on/owner-routes.ts';
import { keysRoutes } from '../features/keys/owner-routes.ts';
import { loginRoutes } from '../features/sessions/login-routes.ts';
import { metricsRoutes } from '../features/metrics/owner-routes.ts';
import type { OperatorServerDeps } from '../features/operators/server-routes.ts';
import { operatorRoutes } from '../features/operators/owner-routes.ts';
import { pageRoutes } from '../features/sites/owner-routes.ts';
import { passkeyLoginRoutes, passkeysRoutes } from '../features/passkeys/owner-routes.ts';
import { pictureRoutes, uploadRoutes } from '../features/pictures/owner-routes.ts';
import { projectsRoutes } from '../features/projects/owner-routes.ts';
import { invitationsRoutes, signUpRoutes } from '../features/sign-up/owner-routes.ts';
import { sessionRoutes } from '../features/sessions/owner-routes.ts';
import { type VisitorSettings, visitorsRoutes } from '../features/visitors/owner-routes.ts';
import { webhookRoutes } from '../features/chat/owner-routes.ts';
import { createIdempotentRunner } from '../http/contract/idempotency.ts';
import { createUnauthenticatedRunner } from '../http/access/unauthenticated-runner.ts';

export interface OwnerDependencies
  extends
    GuardDeps,
    PreviewDeps,
    DisplayNameDeps,
    VisitorSettings,
    WebhookStoreDeps,
    EmailDomainRules,
    ForwardingDeps,
    OperatorServerDeps,
    Pick<HostOptions, 'pagesUrl'> {
  db: Kysely<Database>;
  /** Runs single SELECT statements only. May be the same as `db`. */
  readDb: ReadDatabase;
  queues: DatabaseQueues;
  dailyUsage: DailyUsageTracker;
  forwarding: Forwarding;
  outbox: Outbox;
  instanceStore: InstanceStore;
  chat: ChatService;
  allowances: Allowances;
  /** Undefined if custom domains are off. */
  customDomains?: CustomDomains | undefined;
  serverHosts: readonly string[];
  pageFetcher: PageFetcher;
  jobs: Pick<JobQueue, 'add'>;
  signUpMode: SignUpMode;
  signUps: SignUpService;
}

export function createOwnerPlugin(dependencies: OwnerDependencies): FastifyPluginAsync {
  return createJsonEntryPoint(async (app) => {
    acceptJsonOnly(app);
    const getOrigin = () => publicOrigin(app, dependencies.publicUrl);
    const challenges = new PasskeyChallenges(dependencies.db);
    const getPagesOrigin = () => publicOrigin(app, dependencies.pagesUrl);
    await app.register(async (unauthenticatedApp) => {
      guardUnauthenticated(unauthenticatedApp, dependencies);
      registerContract(
        unauthenticatedApp,
        unauthenticatedContract,
        {
          session: loginRoutes(dependencies),
          passkeys: passkeyLoginRoutes(dependencies.cookie, getOrigin, challenges),
          invitations: invitationsRoutes(
            dependencies,
            dependencies.cookie,
            dependencies.signUpMode === 'closed',
          ),
          registration: signUpRoutes(dependencies, dependencies.cookie, dependencies.signUps),
        },
        createUnauthenticatedRunner(dependencies),
      );
    });
    await app.register(async (authenticatedApp) => {
      guardAuthenticated(authenticatedApp, dependencies);
      const runMetricQuery = createMetricQueryRunner(dependencies.queues.metricReads);
      registerContract(
        authenticatedApp,
        authenticatedJsonContract,
        {
          session: sessionRoutes(dependencies.cookie, dependencies.allowances, dependencies.outbox),
          page: pageRoutes(dependencies, getPagesOrigin),
          visitors: visitorsRoutes(dependencies),
          alerts: alertRoutes(dependencies),
          webhooks: webhookRoutes(dependencies),
          events: eventRoutes,
          metrics: metricsRoutes(runMetricQuery, dependencies.jobs),
          forwarding: forwardingRoutes(
            dependencies.forwarding,
            dependencies.outbox,
            dependencies.mailDomain,
          ),
          keys: keysRoutes(dependencies.allowances, dependencies.outbox),
          projects: projectsRoutes(dependencies.allowances),
          account: accountRoutes(dependencies),
          passkeys: passkeysRoutes(getOrigin, challenges, dependencies),
          identities: identitiesRoutes(dependencies.allowances, dependencies.outbox),
          domains: domainRoutes(dependencies),
          pictures: pictureRoutes(dependencies.allowances, getPagesOrigin),
        },
        createIdempotentRunner(dependencies),
      );
      await authenticatedApp.register(async (operatorApp) => {
        requireOperator(operatorApp, dependencies);
        registerContract(
          operatorApp,
          operatorContract,
          { operator: operatorRoutes(dependencies, getOrigin) },
          createIdempotentRunner(dependencies),
        );
      });
    });
    await app.register(async (uploadApp) => {
      acceptFiles(uploadApp);
      await uploadApp.register(async (authenticatedApp) => {
        guardAuthenticated(authenticatedApp, dependencies, UPLOAD_LIMIT);
        registerContract(
          authenticatedApp,
          uploadContract,
          { pictures: uploadRoutes(dependencies, getPagesOrigin) },
          createIdempotentRunner(dependencies),
        );
      });
    });
  });
}
