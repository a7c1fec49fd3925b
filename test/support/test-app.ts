import type { FastifyInstance } from 'fastify';
import type { Kysely, KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { inject } from 'vitest';
import { Nameplate } from '../../client/src/index.ts';
import { type AppDependencies, buildApp } from '#server/app.ts';
import { JobQueue } from '#server/jobs/job-queue.ts';
import { createOutbox, type Outbox } from '#server/mail/outbox.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import { generateApiKey, hashSecret } from '#server/features/keys/api-key.ts';
import { Authentication } from '#server/features/sessions/authentication.ts';
import { createCustomDomains } from '#server/features/domains/custom-domains.ts';
import type { DnsResolver } from '#server/features/domains/dns-resolver.ts';
import { createPageSource } from '#server/features/page-import/page-source.ts';
import { databaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { serializeError } from '#server/process/logger.ts';
import { secretBox } from '#server/secret-box.ts';
import { createReservedNameCheck } from '#server/features/names/reserved-names.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '#server/features/chat/chat-client.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertApiKey } from '#db/queries/api-keys.ts';
import { insertProject } from '#db/queries/projects.ts';
import type { Database } from '#db/schema.ts';
import { putBehindHaproxy } from '../haproxy/behind-haproxy.ts';
import { checkAnswers } from './check-answers.ts';
import { injectingFetch } from './injecting-fetch.ts';
import {
  connectPostgresDatabase,
  openTestDatabase,
  PATIENCE,
  type TestDatabase,
} from './test-database.ts';

/** Allowances of an account in tests that are not about them. */
const ANY_AMOUNT: Allowances = {
  metricBytesPerDay: 0,
  answerBytes: 0,
  events: 0,
  projects: 0,
  keys: 0,
  pictureBytes: 0,
  heldBackNames: 0,
  nameChangesPerDay: 0,
  uploadsPerHour: 0,
  domainsPerDay: 0,
};

/** Key that secrets are encrypted with, on all servers of a test. */
export const TEST_KEY = Buffer.alloc(32, 7);

/** An account of a test with its key, and the SDK that uses it. */
export interface TestAccount {
  id: string;
  key: string;
  client: Nameplate;
  headers: { 'x-api-key': string };
}

/** The running application on a database of its own. */
export interface TestApp {
  app: FastifyInstance;
  authentication: Authentication;
  database: TestDatabase;
  jobs: JobQueue;
  outbox: Outbox;
  /** The address that callers use, where it is not the one that it listens on. */
  publicUrl: string | undefined;
  /** Log so far, a parsed line each. */
  log: Record<string, unknown>[];
  /** How many queries the application has sent to the database so far, without those of `noteCount`. */
  queryCount: () => number;
  /** How many have noted the use of keys and sessions, which come some time after the requests. */
  noteCount: () => number;
  createAccount: () => Promise<TestAccount>;
  createProject: (account: TestAccount, name?: string) => Promise<string>;
  close: () => Promise<void>;
}

/** Starts the application; whatever is given replaces the ordinary dependency or setting. */
export async function startTestApp(
  {
    allowances,
    dns = NO_DNS,
    mails = false,
    unconfirmedMailsPerHour = 0,
    limits,
    ...overrides
  }: Partial<Omit<AppDependencies, 'allowances'>> & {
    /** DNS of custom domains, which lead to `domains.nameplate.example`. */
    dns?: DnsResolver;
    allowances?: Partial<Allowances>;
    /** Whether mail is queued, though nothing sends it. */
    mails?: boolean;
    unconfirmedMailsPerHour?: number;
  } = {},
  database?: TestDatabase,
): Promise<TestApp> {
  database ??= await openTestDatabase();
  const { db } = database;
  const [queries, notes] = [countQueries(), countQueries()];
  const log: Record<string, unknown>[] = [];
  // Two servers, one address.
  const publicUrl = inject('isBehindHaproxy') && 'http://localhost';
  const logger = pino(
    { level: 'info', base: null, serializers: { err: serializeError } },
    { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const jobs = new JobQueue({ url: database.url, logger });
  const outbox = createOutbox(jobs, {
    SMTP_URL: mails ? 'smtp://127.0.0.1:9' : undefined,
    UNCONFIRMED_MAILS_PER_HOUR: unconfirmedMailsPerHour,
  });
  const serve = async (own: TestDatabase) => {
    const counted = {
      db: own.db.withPlugin(queries.counting),
      reads: own.reads.withPlugin(queries.counting),
      queues: own.openQueues([queries.counting]),
    };
    const authentication = new Authentication(
      { ...counted, db: own.db.withPlugin(notes.counting) },
      (error) => logger.error(error),
    );
    const app = await buildApp({
      ...counted,
      authentication,
      logger,
      jobs,
      forwarding: databaseForwarding('none', db),
      outbox,
      chat: { send: unreachable, edit: unreachable },
      webhookHosts: DEFAULT_WEBHOOK_HOSTS,
      secrets: secretBox(TEST_KEY),
      pageSource: { ...createPageSource(), fetch: () => Promise.resolve(OTHER_PAGE) },
      customDomains: createCustomDomains(
        { targetHost: 'domains.nameplate.example', dns },
        { ...counted, allowances: { ...ANY_AMOUNT, ...allowances } },
      ),
      isReserved: createReservedNameCheck({ RESERVED_NAMES: [], MAIL_DOMAIN: 'nameplate.example' }),
      mailDomain: 'nameplate.example',
      refusedDomains: [],
      destinationsPerDay: 0,
      quarantineDays: 30,
      registration: 'open',
      signUpRefusedDomains: [],
      allowances: { ...ANY_AMOUNT, ...allowances },
      trustProxy: [],
      corsOrigins: [],
      noindexDays: 0,
      visitorDays: 730,
      pageCacheSeconds: 0,
      host: '127.0.0.1',
      publicUrl,
      isReady: () => true,
      ...overrides,
      limits: { requestsPerMinute: 0, ...limits },
    });
    await app.ready();
    return { app, authentication };
  };
  const served = await serve(database);
  const { app, authentication } = served;
  if (inject('isBehindHaproxy')) {
    const other = connectPostgresDatabase(database.url);
    await putBehindHaproxy(served, { ...(await serve(other)), close: other.close });
    log.length = 0;
  }
  checkAnswers(app);
  return {
    app,
    authentication,
    database,
    jobs,
    outbox,
    publicUrl: overrides.publicUrl ?? publicUrl,
    log,
    queryCount: queries.count,
    noteCount: notes.count,
    createAccount: async () => {
      const { id, key } = await insertTestAccount(db);
      const client = new Nameplate({
        apiKey: key,
        maxRetries: 0,
        timeout: PATIENCE.connectionTimeoutMillis,
        fetch: injectingFetch(app),
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

/** A plugin that counts the queries of those who have it. */
function countQueries(): { counting: KyselyPlugin; count: () => number } {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Statements that were built before are not transformed.
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  };
  return { counting, count: () => queries };
}

/** Makes an account with a key in a database. */
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

/** Every page elsewhere, in tests that are not about importing one. */
const OTHER_PAGE = '<h1>Jane</h1><a href="https://example.com/shop">My shop</a>';

/** DNS of tests that are not about custom domains: it knows no names. */
const NO_DNS: DnsResolver = {
  findTxtValues: () => Promise.resolve([]),
  findAddresses: () => Promise.resolve([]),
};

/** Chat platform of tests that do not call it. */
function unreachable(): Promise<string> {
  throw new Error('no chat platform in this test');
}
