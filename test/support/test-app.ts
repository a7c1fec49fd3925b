import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type KyselyPlugin, type QueryId, type RootOperationNode, sql } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { Nameplate } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import type { Database } from '#db/connections/handles.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertApiKey } from '#db/queries/api-keys.ts';
import { insertProject } from '#db/queries/projects.ts';
import { type App, createApp } from '#server/app.ts';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import type { ChatService } from '#server/features/chat/chat-service.ts';
import type { Feature } from '#server/features/define-feature.ts';
import { createCustomDomains } from '#server/features/domains/custom-domains.ts';
import type { DnsResolver } from '#server/features/domains/dns-resolver.ts';
import { forwarding } from '#server/features/forwarding/feature.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { generateApiKey, hashSecret } from '#server/features/keys/api-key.ts';
import { metrics } from '#server/features/metrics/feature.ts';
import type { AllServices } from '#server/features/services.ts';
import { createAuthentication } from '#server/features/sessions/authentication.ts';
import { sessions } from '#server/features/sessions/feature.ts';
import { signUp } from '#server/features/sign-up/feature.ts';
import { createInProcessFetch } from '#server/platform/http/in-process-fetch.ts';
import { InstanceStore } from '#server/platform/instance-store.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import {
  type Allowances,
  allowancesFromConfig,
} from '#server/platform/limits/allowances/allowances.ts';
import type { DatabaseQueue, DatabaseQueues } from '#server/platform/limits/database-queues.ts';
import { createOutbox, type Outbox } from '#server/platform/mail/outbox.ts';
import { type Config, loadConfig } from '#server/platform/settings/config.ts';
import { serializeError } from '#server/process/logger.ts';
import { checkResponses } from './check-responses.ts';
import { openTestDatabase, LONG_TIME_LIMITS, type TestDatabase } from './test-database.ts';

/** 0 means unlimited. */
const UNLIMITED = Object.fromEntries(
  Object.keys(allowancesFromConfig(loadConfig({}))).map((name) => [name, 0]),
) as unknown as Allowances;

export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7);

/** An account with its API key and SDK clients for both contracts. */
export interface TestAccount {
  id: string;
  key: string;
  client: Nameplate;
  owner: ReturnType<typeof ownerOf>;
  headers: { 'x-api-key': string };
}

/** An in-process app with its own database. */
export interface TestApp {
  /** Options may leave features out. */
  nameplate: App & AllServices;
  app: FastifyInstance;
  database: TestDatabase;
  db: Database;
  jobs: JobQueue;
  outbox: Outbox;
  /** Undefined if the public URL is the URL that the app listens on. */
  publicUrl: string | undefined;
  /** Log entries so far. */
  log: Record<string, unknown>[];
  sql: <Row>(...statement: Parameters<typeof sql>) => Promise<Row[]>;
  /** Number of database queries so far, without the delayed writes of usage and visits. */
  queryCount: () => number;
  /** Queries so far that stored the last use of keys and sessions, some time after the requests. */
  lastUsedWriteCount: () => number;
  createAccount: () => Promise<TestAccount>;
  createNamedAccount: (name: string) => Promise<TestAccount>;
  createProject: (account: TestAccount, name?: string) => Promise<string>;
  close: () => Promise<void>;
}

type TestOptions = Partial<Config> &
  Omit<NonNullable<Parameters<typeof createApp>[1]>, 'allowances' | 'chat'> & {
    allowances?: Partial<Allowances>;
    chat?: Omit<ChatService, 'abort' | 'close'> & Partial<Pick<ChatService, 'abort' | 'close'>>;
    log?: FastifyBaseLogger;
    /** DNS for custom domains. */
    dns?: DnsResolver;
    /** Starts only these, what they need, and what pages need. Default: all. */
    features?: readonly Feature[];
    /** Queues emails, but sends none, and forwards mail as with Postfix. */
    mailEnabled?: boolean;
  };

const TEST_SETTINGS: Partial<Config> = {
  // No mail server listens there, so emails fail at once.
  ...loadConfig({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://localhost' }),
  PUBLIC_URL: undefined,
  CUSTOM_DOMAIN_TARGET: 'domains.nameplate.example',
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('hex'),
  REGISTRATION: 'open',
  // Vitest deletes the folder of this run.
  BACKUP_DIR: join(tmpdir(), 'backups'),
  TRUST_ACCOUNTS: 'true',
  UNCONFIRMED_MAILS_PER_HOUR: 0,
};

/** Starts an app. Options in capitals are settings, the others replace services. */
export async function startTestApp(
  { allowances, chat, dns = NO_DNS, mailEnabled = false, features, ...options }: TestOptions = {},
  database?: TestDatabase,
): Promise<TestApp> {
  database ??= await openTestDatabase();
  const { db } = database;
  const [queries, lastUsedWrites] = [countQueries(), countQueries()];
  const entries: Record<string, unknown>[] = [];
  const settings = Object.fromEntries(
    Object.entries(options).filter(([name]) => /^[A-Z_]+$/.test(name)),
  );
  const config = { ...TEST_SETTINGS, ...settings } as Config;
  const {
    rateLimitOptions,
    log = pino(
      { level: 'trace', base: null, serializers: { err: serializeError } },
      { write: (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    jobs = new JobQueue({ url: database.url, logger: log, timeLimits: LONG_TIME_LIMITS }),
    outbox = config.SMTP_URL === undefined
      ? undefined
      : createOutbox(jobs, config, { current: mailEnabled ? {} : undefined }),
    ...overrides
  } = options;
  const counted = {
    url: database.url,
    dataDir: undefined,
    db: database.db.withPlugin(queries.plugin),
    readDb: database.readDb.withPlugin(queries.plugin),
    queues: withPlugin(database.createQueues(), queries.plugin),
  };
  const limits = { ...UNLIMITED, ...allowances };
  const nameplate = (await createApp(
    { config, log, database: counted },
    {
      // Their queries are not counted, because they depend on when a cache expires.
      instanceStore: new InstanceStore(database.readDb),
      sessions: createAuthentication({
        ...counted,
        log,
        db: database.db.withPlugin(lastUsedWrites.plugin),
      }),
      forwarding: createDatabaseForwarding(mailEnabled ? 'postfix' : 'none', db),
      covers: { find: unreachable, close: async () => {} },
      domains: createCustomDomains({ ...counted, config, jobs, allowances: limits }, dns),
      lifecycle: { isReady: true },
      ...overrides,
      jobs,
      ...(outbox && { outbox }),
      chat: { deliver: unreachable, abort: () => {}, close: async () => {}, ...chat },
      allowances: limits,
      rateLimitOptions: { requestsPerMinute: 0, ...rateLimitOptions },
    },
    features && listNeeded([...NEEDED_BY_PAGES, ...features]),
  )) as TestApp['nameplate'];
  await nameplate.server.ready();
  const { server: app } = nameplate;
  checkResponses(app);
  const testApp: TestApp = {
    nameplate,
    app,
    database,
    db,
    jobs,
    outbox: nameplate.outbox,
    publicUrl: config.PUBLIC_URL,
    log: entries,
    sql: async <Row>(...statement: Parameters<typeof sql>) =>
      (await sql<Row>(...statement).execute(db)).rows,
    queryCount: queries.count,
    lastUsedWriteCount: lastUsedWrites.count,
    createAccount: async () => createTestAccount(testApp, await insertTestAccount(db)),
    createNamedAccount: async (name) => {
      const account = await testApp.createAccount();
      await account.client.account.updateDisplayName({ display_name: name });
      return account;
    },
    createProject: async (account, name = 'Shop') => (await insertProject(db, account.id, name)).id,
    close: async () => {
      await nameplate.close();
      await database.close();
      releaseApp(testApp);
    },
  };
  return testApp;
}

/** Starts an app that is closed after the test, with its database unless that is shared. */
export async function openTestApp(
  options: TestOptions = {},
  database?: TestDatabase,
): Promise<TestApp> {
  const app = await startTestApp(options, database && { ...database, close: async () => {} });
  onTestFinished(() => app.close());
  return app;
}

/** Node keeps the modules of test files, whose variables would keep every closed app: 12 MB each. */
export function releaseApp(server: TestApp): void {
  for (const name of Object.keys(server))
    if (!name.startsWith('log')) delete server[name as keyof TestApp];
}

/** The client keeps only `server`, which is empty after `close`. */
function createTestAccount(server: TestApp, { id, key }: { id: string; key: string }): TestAccount {
  const client = new Nameplate({
    apiKey: key,
    maxRetries: 0,
    timeout: LONG_TIME_LIMITS.connectionTimeoutMillis,
    fetch: (input, init) => createInProcessFetch(server.app)(input, init),
  });
  return { id, key, client, owner: ownerOf(client), headers: { 'x-api-key': key } };
}

const NEEDED_BY_PAGES = [forwarding, metrics, sessions, signUp];

function listNeeded(features: readonly Feature[]): typeof ALL_FEATURES {
  const needed = new Set<string>();
  const add = ({ name, needs = [] }: Feature) => {
    needed.add(name);
    needs.forEach(add);
  };
  features.forEach(add);
  return ALL_FEATURES.filter(({ name }) => needed.has(name));
}

function withPlugin(queues: DatabaseQueues, plugin: KyselyPlugin): DatabaseQueues {
  for (const queue of Object.values(queues) as DatabaseQueue[]) {
    const databaseFor = queue.databaseFor.bind(queue);
    queue.databaseFor = (key) => databaseFor(key).withPlugin(plugin);
  }
  return queues;
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
    node.sqlFragments.some((text) =>
      /INSERT INTO (daily_usage|key_requests|page_visits) /.test(text),
    )
  );
}

export async function insertTestAccount(db: Database): Promise<{ id: string; key: string }> {
  const { id: keyId, secret } = generateApiKey();
  const id = await db.transaction().execute(async (trx) => {
    const accountId = await insertAccount(trx);
    await insertApiKey(trx, { id: keyId, accountId, secretHash: hashSecret(secret), label: null });
    return accountId;
  });
  return { id, key: `${keyId}.${secret}` };
}

const NO_DNS: DnsResolver = {
  findTxtValues: () => Promise.resolve([]),
  findAddresses: () => Promise.resolve([]),
  findCnames: () => Promise.resolve([]),
};

function unreachable(): Promise<never> {
  throw new Error('this test has no chat platform');
}
