import type { Core } from './core.ts';
import { createApiPlugin } from './entry/api/api.ts';
import { createOwnerPlugin } from './entry/api/owner.ts';
import { createDashboardPlugin } from './entry/dashboard/dashboard.ts';
import type { OpenDatabase } from './database.ts';
import { callFeatures } from './features/index.ts';
import { createBackups } from './features/backups/backups.ts';
import { createChatService } from './features/chat/chat-service.ts';
import { createReceivers } from './features/connections/receivers.ts';
import { createCustomDomains } from './features/domains/custom-domains.ts';
import { createForwarding } from './features/forwarding/forwarding.ts';
import { KeyRequests } from './features/keys/key-requests.ts';
import type { FinishedRequest } from './platform/http/connection/request-log.ts';
import { InstanceStore } from './platform/instance-store.ts';
import { PageMetrics } from './features/metrics/page-metrics.ts';
import { createReservedNameCheck } from './features/names/reserved-names.ts';
import { createCoverFetcher } from './features/covers/cover-fetcher.ts';
import { createPageFetcher } from './features/page-import/page-fetcher.ts';
import { PasskeyChallenges } from './features/passkeys/passkey-challenges.ts';
import { createAuthentication } from './features/sessions/authentication.ts';
import { createSignOn } from './features/sign-on/sign-on.ts';
import { SignUpService } from './features/sign-up/sign-up-service.ts';
import { separateHosts } from './platform/http/access/hosts.ts';
import { publicOrigin } from './platform/http/access/public-origin.ts';
import {
  createRateLimits,
  type RateLimitOptions,
  rateLimitsFromConfig,
} from './platform/http/access/rate-limits.ts';
import { createSessionCookie, createSignOnCookie } from './platform/http/access/session-cookie.ts';
import { createServer } from './platform/http/server.ts';
import { JobQueue } from './platform/jobs/job-queue.ts';
import { allowancesFromConfig } from './platform/limits/allowances/allowances.ts';
import { DailyUsageTracker } from './platform/limits/allowances/daily-usage-tracker.ts';
import { MailServerStore } from './platform/mail/mail-server-store.ts';
import { createOutbox } from './platform/mail/outbox.ts';
import { createMcpPlugin } from './entry/mcp/mcp.ts';
import { createCaddyAskPlugin } from './entry/pages/caddy-ask.ts';
import { createPagesPlugin } from './entry/pages/pages.ts';
import type { ResolveMailServer } from './platform/mail/smtp-client.ts';
import { loadSecretBox } from './platform/secrets/secret-box.ts';
import type { Services } from './features/services.ts';

/** Tests replace services outside this process, and turn limits off. Commands need no credentials. */
type AppOverrides = Partial<
  Pick<
    Services,
    | 'allowances'
    | 'authentication'
    | 'chat'
    | 'coverFetcher'
    | 'customDomains'
    | 'forwarding'
    | 'instanceStore'
    | 'instruments'
    | 'isReserved'
    | 'jobs'
    | 'lifecycle'
    | 'origin'
    | 'outbox'
    | 'pageFetcher'
    | 'receivers'
    | 'secretBox'
    | 'signOn'
  > & { rateLimitOptions: RateLimitOptions; resolveMailServer: ResolveMailServer }
>;

export interface App extends Services {
  /** Finishes in-flight requests, then closes everything in reverse order. */
  close: () => Promise<void>;
}

type AppSource = Pick<Core, 'config' | 'log'> & {
  database: Pick<OpenDatabase, 'db' | 'readDb' | 'queues' | 'url' | 'dataDir'>;
};

/** If a step fails, closes what the earlier ones created. `registerJobs` registers the jobs. */
export async function createApp(source: AppSource, overrides: AppOverrides = {}): Promise<App> {
  await using resources = new AsyncDisposableStack();
  const { log, database } = source;
  const keyRequests = new KeyRequests({ db: database.db, log });
  // Last, after the requests in flight.
  resources.defer(() => keyRequests.flush());
  const core = await createCore(source, overrides, {
    resources,
    onFinish: (finished) => keyRequests.record(finished),
  });
  const services = await createServices(core, overrides, { resources, database });
  const { server, dailyUsage } = core;
  const { authentication, pageMetrics } = services;
  server.addHook('onClose', async () => {
    pageMetrics.close();
    await Promise.all([dailyUsage.flush(), authentication.flush()]);
  });
  await registerEntryPoints(services);
  const created = resources.move();
  return Object.assign(services, { close: () => created.disposeAsync() });
}

async function createCore(
  { config, log, database }: AppSource,
  overrides: AppOverrides,
  {
    resources,
    onFinish,
  }: { resources: AsyncDisposableStack; onFinish: (finished: FinishedRequest) => void },
): Promise<Core> {
  const { db, readDb, queues, dataDir } = database;
  const allowances = overrides.allowances ?? allowancesFromConfig(config);
  const jobs = overrides.jobs ?? new JobQueue({ url: database.url, logger: log });
  resources.defer(() => jobs.close());
  const secretBox =
    'secretBox' in overrides ? overrides.secretBox : await loadSecretBox(config, dataDir);
  const { resolveMailServer: resolve } = overrides;
  const mailServers = new MailServerStore({ config, readDb, secretBox, resolve });
  const { instruments, lifecycle = { isReady: false } } = overrides;
  const server = createServer({ config, log, lifecycle, instruments, onFinish });
  const rateLimits = await createRateLimits(
    server,
    overrides.rateLimitOptions ?? rateLimitsFromConfig(config),
  );
  const { HOST: host, PUBLIC_URL: publicUrl } = config;
  const baseUrl = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`;
  const origin = overrides.origin ?? (() => publicOrigin(server, publicUrl));
  return {
    config,
    log,
    db,
    readDb,
    pageReadDb: queues.reads.databaseFor('pages'),
    queues,
    dataDir,
    lifecycle,
    allowances,
    secretBox,
    instanceStore: overrides.instanceStore ?? new InstanceStore(readDb),
    jobs,
    mailServers,
    outbox: overrides.outbox ?? createOutbox(jobs, config, mailServers),
    dailyUsage: new DailyUsageTracker({ allowances, db, log }),
    instruments,
    server,
    rateLimits,
    sessionCookie: createSessionCookie(baseUrl),
    signOnCookie: createSignOnCookie(baseUrl),
    origin,
    pagesOrigin: () => config.PAGES_URL ?? origin(),
  };
}

async function createServices(
  core: Core,
  overrides: AppOverrides,
  { resources, database }: { resources: AsyncDisposableStack; database: AppSource['database'] },
): Promise<Services> {
  const { config, log, server } = core;
  const receivers = overrides.receivers ?? createReceivers(config);
  resources.defer(() => receivers.close());
  const chat = overrides.chat ?? createChatService(core);
  const pageFetcher = overrides.pageFetcher ?? createPageFetcher();
  const coverFetcher =
    overrides.coverFetcher ??
    createCoverFetcher({ pagesUrl: config.PAGES_URL ?? config.PUBLIC_URL });
  const signOn = overrides.signOn ?? createSignOn(config);
  // In parallel: `chat.close()` ends pending messages, which in-flight requests wait for.
  resources.defer(async () => {
    const clients = [chat.close(), pageFetcher.close(), coverFetcher.close(), signOn?.close()];
    await Promise.all([server.close(), ...clients]);
  });
  const forwarding = overrides.forwarding ?? (await createForwarding({ ...core, logger: log }));
  const isReserved = overrides.isReserved ?? createReservedNameCheck(config);
  const services: Services = {
    ...core,
    isReserved,
    features: callFeatures(() => services),
    forwarding,
    chat,
    receivers,
    backups: createBackups(config, database),
    pageFetcher,
    coverFetcher,
    customDomains: overrides.customDomains ?? createCustomDomains(core),
    signOn,
    authentication: overrides.authentication ?? createAuthentication(core),
    passkeyChallenges: new PasskeyChallenges(core.db),
    pageMetrics: new PageMetrics(core),
    signUps: new SignUpService({ ...core, isReserved }),
  };
  return services;
}

async function registerEntryPoints(app: Services): Promise<void> {
  separateHosts(app);
  const plugins = [
    createApiPlugin,
    createOwnerPlugin,
    createMcpPlugin,
    createPagesPlugin,
    createCaddyAskPlugin,
    createDashboardPlugin,
  ];
  for (const createPlugin of plugins) await app.server.register(createPlugin(app));
}
