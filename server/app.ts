import type { Core } from './core.ts';
import type { OpenDatabase } from './database.ts';
import { createApiPlugin } from './entry/api/api.ts';
import { createOwnerPlugin } from './entry/api/owner.ts';
import { createDashboardPlugin } from './entry/dashboard/dashboard.ts';
import { createMcpPlugin } from './entry/mcp/mcp.ts';
import { createOAuthPlugin } from './entry/oauth/oauth.ts';
import { createCaddyAskPlugin } from './entry/pages/caddy-ask.ts';
import { createOAuthPagesPlugin } from './entry/pages/oauth/routes.ts';
import { createPagesPlugin } from './entry/pages/pages.ts';
import {
  collectFeatures,
  createReact,
  listFeatures,
  listFeaturesOff,
} from './features/call-features.ts';
import type { Feature, ServiceLifetime } from './features/define-feature.ts';
import type { FEATURES } from './features/index.ts';
import type { AllServices, Services } from './features/services.ts';
import { separateHosts } from './platform/http/access/hosts.ts';
import { publicOrigin } from './platform/http/access/public-origin.ts';
import {
  createRateLimits,
  type RateLimitOptions,
  rateLimitsFromConfig,
} from './platform/http/access/rate-limits.ts';
import { createSessionCookie, createSignOnCookie } from './platform/http/access/session-cookie.ts';
import { createServer } from './platform/http/server.ts';
import { InstanceStore } from './platform/instance-store.ts';
import { JobQueue } from './platform/jobs/job-queue.ts';
import { allowancesFromConfig } from './platform/limits/allowances/allowances.ts';
import { DailyUsageTracker } from './platform/limits/allowances/daily-usage-tracker.ts';
import { MailServerStore } from './platform/mail/mail-server-store.ts';
import { createOutbox } from './platform/mail/outbox.ts';
import type { ResolveMailServer } from './platform/mail/smtp-client.ts';
import { loadSecretBox } from './platform/secrets/secret-box.ts';

type FeatureName = (typeof FEATURES)[number]['name'];

/** Tests turn limits off, and replace what calls others by the name of its feature. */
type AppOverrides = Partial<
  Pick<
    Services,
    | Extract<keyof Services, FeatureName>
    | 'allowances'
    | 'instanceStore'
    | 'instruments'
    | 'jobs'
    | 'lifecycle'
    | 'origin'
    | 'outbox'
    | 'secretBox'
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
export async function createApp(
  source: AppSource,
  overrides: AppOverrides = {},
  features = listFeatures(source.config),
): Promise<App> {
  await using resources = new AsyncDisposableStack();
  const core = await createCore(source, overrides, resources);
  const services = await createServices(core, overrides, { features, resources });
  await registerEntryPoints(services);
  const created = resources.move();
  return Object.assign(services, { close: () => created.disposeAsync() });
}

async function createCore(
  { config, log, database }: AppSource,
  overrides: AppOverrides,
  resources: AsyncDisposableStack,
): Promise<Core> {
  const { db, readDb, queues, url, dataDir } = database;
  const allowances = overrides.allowances ?? allowancesFromConfig(config);
  const jobs = overrides.jobs ?? new JobQueue({ url, logger: log });
  resources.defer(() => jobs.close());
  const secretBox =
    'secretBox' in overrides ? overrides.secretBox : await loadSecretBox(config, dataDir);
  const { resolveMailServer: resolve } = overrides;
  const mailServers = new MailServerStore({ config, readDb, secretBox, resolve });
  const { instruments, lifecycle = { isReady: false } } = overrides;
  const requestListeners: Core['requestListeners'] = [];
  const server = createServer({ config, log, lifecycle, instruments, requestListeners });
  const dailyUsage = new DailyUsageTracker({ allowances, db, log });
  server.addHook('onClose', () => dailyUsage.flush());
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
    databaseUrl: url,
    dataDir,
    lifecycle,
    allowances,
    secretBox,
    instanceStore: overrides.instanceStore ?? new InstanceStore(readDb),
    jobs,
    mailServers,
    outbox: overrides.outbox ?? createOutbox(jobs, config, mailServers),
    dailyUsage,
    instruments,
    server,
    requestListeners,
    rateLimits,
    sessionCookie: createSessionCookie(baseUrl),
    signOnCookie: createSignOnCookie(baseUrl),
    origin,
    pagesOrigin: () => config.PAGES_URL ?? origin(),
  };
}

/** In the order of the list: a service gets those of earlier features. Closed in reverse order. */
async function createServices(
  core: Core,
  overrides: AppOverrides,
  {
    features,
    resources,
  }: { features: readonly Feature<AllServices>[]; resources: AsyncDisposableStack },
): Promise<Services> {
  const app: Record<string, unknown> = { ...core };
  // A feature that runs has the services that it needs.
  const services = app as unknown as AllServices;
  Object.assign(app, {
    features: collectFeatures(services, features),
    react: createReact(services),
  });
  for (const { jobs = [] } of listFeaturesOff(services.features))
    for (const job of jobs) core.jobs.leaveOut(job);
  const created: ServiceLifetime[] = [];
  for (const { name, service: createService } of features) {
    if (!createService) continue;
    const isReplaced = Object.hasOwn(overrides, name);
    app[name] = isReplaced ? overrides[name as keyof AppOverrides] : await createService(services);
    const service: ServiceLifetime = app[name] ?? {};
    created.push(service);
    resources.defer(() => service.close?.());
  }
  // First, because requests in flight use the services.
  resources.defer(async () => {
    for (const service of created) service.abort?.();
    await core.server.close();
  });
  return services;
}

async function registerEntryPoints(app: Services): Promise<void> {
  separateHosts(app);
  const plugins = [
    createApiPlugin,
    createOwnerPlugin,
    createMcpPlugin,
    createOAuthPlugin,
    createOAuthPagesPlugin,
    createPagesPlugin,
    createCaddyAskPlugin,
    createDashboardPlugin,
  ];
  for (const createPlugin of plugins) await app.server.register(createPlugin(app));
}
