import type { FastifyInstance } from 'fastify';
import type { Kysely, KyselyPlugin, QueryId, RootOperationNode } from 'kysely';
import { pino } from 'pino';
import { inject } from 'vitest';
import { Nameplate } from '../../client/src/index.ts';
import { type AppDependencies, buildApp } from '#server/app.ts';
import { JobQueue } from '#server/jobs/job-queue.ts';
import { createOutbox, type Outbox } from '#server/mail/outbox.ts';
import { type Allowances, allowancesFromConfig } from '#server/limits/allowances/allowances.ts';
import { loadConfig } from '#server/settings/config.ts';
import { generateApiKey, hashSecret } from '#server/features/keys/api-key.ts';
import { Authentication } from '#server/features/sessions/authentication.ts';
import { createCustomDomains } from '#server/features/domains/custom-domains.ts';
import type { DnsResolver } from '#server/features/domains/dns-resolver.ts';
import { createPageFetcher } from '#server/features/page-import/page-fetcher.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { serializeError } from '#server/process/logger.ts';
import { createSecretBox } from '#server/secret-box.ts';
import { InstanceStore } from '#server/features/instance/instance-store.ts';
import { createReservedNameCheck } from '#server/features/names/reserved-names.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '#server/features/chat/chat-client.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertApiKey } from '#db/queries/api-keys.ts';
import { insertProject } from '#db/queries/projects.ts';
import type { Database } from '#db/schema.ts';
import { putBehindHaproxy } from '../haproxy/behind-haproxy.ts';
import { checkResponses } from './check-responses.ts';
import { createInProcessFetch } from './in-process-fetch.ts';
import {
  connectPostgresDatabase,
  openTestDatabase,
  LONG_TIME_LIMITS,
  type TestDatabase,
} from './test-database.ts';

/** 0 means unlimited. */
const UNLIMITED = Object.fromEntries(
  Object.keys(allowancesFromConfig(loadConfig({}))).map((name) => [name, 0]),
) as unknown as Allowances;

export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7);

/** An account with its API key and an SDK client. */
export interface TestAccount {
  id: string;
  key: string;
  client: Nameplate;
  headers: { 'x-api-key': string };
}

/** An in-process app with its own database. */
export interface TestApp {
  app: FastifyInstance;
  authentication: Authentication;
  database: TestDatabase;
  jobs: JobQueue;
  outbox: Outbox;
  /** Undefined if the public URL is the URL that the app listens on. */
  publicUrl: string | undefined;
  /** Log entries so far. */
  log: Record<string, unknown>[];
  /** Number of database queries so far, without the delayed writes of usage and visits. */
  queryCount: () => number;
  /** Queries so far that stored the last use of keys and sessions, some time after the requests. */
  lastUsedWriteCount: () => number;
  createAccount: () => Promise<TestAccount>;
  createProject: (account: TestAccount, name?: string) => Promise<string>;
  close: () => Promise<void>;
}

/** Starts an app. The options override the defaults below. */
export async function startTestApp(
  {
    allowances,
    dns = NO_DNS,
    mailEnabled = false,
    unconfirmedMailsPerHour = 0,
    rateLimitOptions,
    ...overrides
  }: Partial<Omit<AppDependencies, 'allowances'>> & {
    /** DNS for custom domains. Their CNAME target is `domains.nameplate.example`. */
    dns?: DnsResolver;
    allowances?: Partial<Allowances>;
    /** Queues emails, but sends none. */
    mailEnabled?: boolean;
    unconfirmedMailsPerHour?: number;
  } = {},
  database?: TestDatabase,
): Promise<TestApp> {
  database ??= await openTestDatabase();
  const { db } = database;
  const [queries, lastUsedWrites] = [countQueries(), countQueries()];
  const log: Record<string, unknown>[] = [];
  // Servers behind HAProxy must have the same public URL.
  const publicUrl = inject('isBehindHaproxy') && 'http://localhost';
  const logger = pino(
    { level: 'info', base: null, serializers: { err: serializeError } },
    { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const jobs = new JobQueue({ url: database.url, logger, timeLimits: LONG_TIME_LIMITS });
  const outbox = createOutbox(jobs, {
    SMTP_URL: mailEnabled ? 'smtp://127.0.0.1:9' : undefined,
    UNCONFIRMED_MAILS_PER_HOUR: unconfirmedMailsPerHour,
  });
  const startServer = async (connections: TestDatabase) => {
    const countedConnections = {
      db: connections.db.withPlugin(queries.plugin),
      readDb: connections.readDb.withPlugin(queries.plugin),
      queues: connections.createQueues([queries.plugin]),
    };
    const authentication = new Authentication(
      { ...countedConnections, db: connections.db.withPlugin(lastUsedWrites.plugin) },
      (error) => logger.error(error),
    );
    const app = await buildApp({
      ...countedConnections,
      // Its queries are not counted, because they depend on when its cache expires.
      instanceStore: new InstanceStore(connections.readDb),
      authentication,
      logger,
      jobs,
      forwarding: createDatabaseForwarding('none', db),
      outbox,
      chat: { send: unreachable, edit: unreachable },
      webhookHosts: DEFAULT_WEBHOOK_HOSTS,
      secretBox: createSecretBox(TEST_ENCRYPTION_KEY),
      // No mail server listens there, so test emails fail at once.
      setup: loadConfig({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://localhost:3000' }),
      pageFetcher: { ...createPageFetcher(), fetch: () => Promise.resolve(IMPORTED_PAGE) },
      customDomains: createCustomDomains(
        { targetHost: 'domains.nameplate.example', dns },
        { ...countedConnections, allowances: { ...UNLIMITED, ...allowances } },
      ),
      isReserved: createReservedNameCheck({ RESERVED_NAMES: [], MAIL_DOMAIN: 'nameplate.example' }),
      mailDomain: 'nameplate.example',
      refusedDomains: [],
      destinationsPerDay: 0,
      quarantineDays: 30,
      signUpMode: 'open',
      signUpRefusedDomains: [],
      allowances: { ...UNLIMITED, ...allowances },
      trustProxy: [],
      corsOrigins: [],
      noindexDays: 0,
      visitRetentionDays: 730,
      pageCacheSeconds: 0,
      host: '127.0.0.1',
      publicUrl,
      isReady: () => true,
      ...overrides,
      rateLimitOptions: { requestsPerMinute: 0, ...rateLimitOptions },
    });
    await app.ready();
    return { app, authentication };
  };
  const mainServer = await startServer(database);
  const { app, authentication } = mainServer;
  if (inject('isBehindHaproxy')) {
    const secondDatabase = connectPostgresDatabase(database.url);
    await putBehindHaproxy(mainServer, {
      ...(await startServer(secondDatabase)),
      close: secondDatabase.close,
    });
    log.length = 0;
  }
  checkResponses(app);
  return {
    app,
    authentication,
    database,
    jobs,
    outbox,
    publicUrl: overrides.publicUrl ?? publicUrl,
    log,
    queryCount: queries.count,
    lastUsedWriteCount: lastUsedWrites.count,
    createAccount: async () => {
      const { id, key } = await insertTestAccount(db);
      const client = new Nameplate({
        apiKey: key,
        maxRetries: 0,
        timeout: LONG_TIME_LIMITS.connectionTimeoutMillis,
        fetch: createInProcessFetch(app),
      });
      return { id, key, client, headers: { 'x-api-key': key } };
    },
    createProject: async (account, name = 'Shop') => (await insertProject(db, account.id, name)).id,
    close: async () => {
      await app.close();
      await jobs.close();
      await database.close();
    },
  };
}

function countQueries(): { plugin: KyselyPlugin; count: () => number } {
  let queryCount = 0;
  const delayedQueries = new WeakSet<QueryId>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (storesUsageOrVisits(node)) delayedQueries.add(queryId);
      return node;
    },
    // Count results, because compiled queries skip `transformQuery`.
    transformResult: async ({ result, queryId }) => {
      if (!delayedQueries.has(queryId)) queryCount += 1;
      return result;
    },
  };
  return { plugin, count: () => queryCount };
}

function storesUsageOrVisits(node: RootOperationNode): boolean {
  return (
    node.kind === 'RawNode' &&
    node.sqlFragments.some((text) => /INSERT INTO (daily_usage|page_visits) /.test(text))
  );
}

export async function insertTestAccount(
  db: Kysely<Database>,
): Promise<{ id: string; key: string }> {
  const { id: keyId, secret } = generateApiKey();
  const id = await db.transaction().execute(async (trx) => {
    const accountId = await insertAccount(trx);
    await insertApiKey(trx, { id: keyId, accountId, secretHash: hashSecret(secret), label: null });
    return accountId;
  });
  return { id, key: `${keyId}.${secret}` };
}

/** Every imported page has this content, unless a test sets another page source. */
const IMPORTED_PAGE = '<h1>Jane</h1><a href="https://example.com/shop">My shop</a>';

export const NO_DNS: DnsResolver = {
  findTxtValues: () => Promise.resolve([]),
  findAddresses: () => Promise.resolve([]),
};

function unreachable(): Promise<string> {
  throw new Error('this test has no chat platform');
}
