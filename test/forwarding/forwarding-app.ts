import type { FastifyBaseLogger } from 'fastify';
import type { TimeLimits } from '#db/connections/postgres.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import type { Finding } from '#server/features/finding.ts';
import {
  createForwarding,
  type ForwardingService,
} from '#server/features/forwarding/forwarding.ts';
import { forwardingJob, type ReconcileTiming } from '#server/features/forwarding/reconcile.ts';
import {
  applicationRequestJob,
  linkRequestJob,
} from '#server/features/sessions/link-request-job.ts';
import { createSetup } from '#server/features/setup/setup.ts';
import { readStoredState } from '#server/features/setup/stored-state.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { MailServerStore } from '#server/platform/mail/mail-server-store.ts';
import { createOutbox, type Outbox } from '#server/platform/mail/outbox.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { POLL_OFTEN } from '../support/poll-often.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  LONG_TIME_LIMITS,
  openTestDatabase,
} from '../support/test-database.ts';
import { type FakeImprovmx, IMPROVMX_KEY } from './fake-improvmx.ts';

/** Short timeouts, so that tests can wait for retries. */
const SHORT_TIMING: ReconcileTiming = {
  runTimeoutMs: 2_000,
  leaseMs: 3_000,
  // Longer than two retries take.
  uncertainMs: 2_500,
  unusedDestinationMs: 0,
};

/** A test app whose forwarding calls a fake provider. */
export interface ForwardingApp extends TestApp {
  jobs: JobQueue;
  forwarding: ForwardingService;
  outbox: { -readonly [Name in keyof Outbox]: Outbox[Name] };
  findMailFinding: () => Promise<Finding | undefined>;
  /** Warnings that the job queue logged. */
  warnings: object[];
  enableForwarding: (account: TestAccount, email?: string) => Promise<void>;
  disableForwarding: (account: TestAccount) => Promise<void>;
  rename: (account: TestAccount, name: string) => Promise<{ status: number; body: unknown }>;
  createForwardedAccount: (name: string, email: string) => Promise<TestAccount>;
  /** Waits until every name is in sync and no job has failed attempts. */
  waitUntilSynced: () => Promise<void>;
}

/** Starts the app on a new database, or as another server on an existing one. */
export async function startForwardingApp(options: {
  /** URL of an existing database. */
  url?: string;
  /** Database URL of the job queue, if different. */
  queueUrl?: string;
  queueTimeLimits?: TimeLimits;
  fake?: FakeImprovmx;
  /** Provider settings. Default: a fake ImprovMX. */
  settings?: Record<string, string>;
  quarantineDays?: number;
  /** Default: `open`. */
  registration?: 'approval' | 'invite';
  timing?: Partial<ReconcileTiming>;
  /** Whether this server also processes jobs (default), or only creates them. */
  processesJobs?: boolean;
}): Promise<ForwardingApp> {
  const { url, queueUrl, fake, settings, timing } = options;
  const { quarantineDays: NAME_QUARANTINE_DAYS = 30, processesJobs = true } = options;
  const { registration: REGISTRATION = 'open' } = options;
  const database = url === undefined ? await openTestDatabase() : connectPostgresDatabase(url);
  const warnings: object[] = [];
  const logger = {
    warn: (entry: unknown) => void warnings.push(entry as object),
  } as unknown as FastifyBaseLogger;
  const retry = { ...POLL_OFTEN, retrySeconds: 1, maxRetrySeconds: 1 };
  const jobs = new JobQueue({
    url: queueUrl ?? database.url,
    logger,
    options: {
      ...{ [forwardingJob.kind]: retry, [mailJob.kind]: retry },
      ...{
        [linkRequestJob.kind]: POLL_OFTEN,
        [applicationRequestJob.kind]: POLL_OFTEN,
        [deliveryJob.kind]: POLL_OFTEN,
      },
    },
    timeLimits: options.queueTimeLimits ?? LONG_TIME_LIMITS,
  });
  const config = loadConfig({
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: IMPROVMX_KEY,
    FORWARDING_API_URL: fake?.url,
    ...settings,
  });
  const forwarding = await createForwarding({
    config,
    db: database.db,
    jobs,
    logger,
    timing: { ...SHORT_TIMING, ...timing },
  });
  const mailServers = new MailServerStore({ config, readDb: undefined, secretBox: undefined });
  const outbox = createOutbox(jobs, config, mailServers);
  const services = { forwarding, outbox, jobs };
  const server = await startTestApp({ ...services, NAME_QUARANTINE_DAYS, REGISTRATION }, database);
  const app = { ...server.nameplate, config, log: logger, mailServers };
  if (processesJobs)
    registerJobs(app, [deliveryJob, forwardingJob, linkRequestJob, applicationRequestJob, mailJob]);
  await jobs.open();
  if (processesJobs) await forwarding.addMissingJobs();
  const enableForwarding = async ({ client }: TestAccount, email?: string) => {
    await client.emailForwarding.emailForwardingToggle({ enabled: true, ...(email && { email }) });
  };
  return {
    ...server,
    jobs,
    forwarding,
    outbox,
    findMailFinding: async () => {
      const stored = await readStoredState(database.db, config, undefined);
      const t = translatorFor('en');
      const findings = await createSetup(app).listFindings(t, database.db, stored);
      return findings.find(({ code }) => code.startsWith('mail'));
    },
    warnings,
    enableForwarding,
    disableForwarding: async ({ client }) => {
      await client.emailForwarding.emailForwardingToggle({ enabled: false });
    },
    rename: async (account, name) => {
      const json = { display_name: name };
      const endpoint = 'POST /account/update-display-name';
      const { status, body } = await send(server, account, endpoint, json);
      return { status, body };
    },
    createForwardedAccount: async (name, email) => {
      const account = await server.createNamedAccount(name);
      await enableForwarding(account, email);
      return account;
    },
    waitUntilSynced: async () => {
      await eventually(forwarding.list, (names) =>
        names.every(({ is_synced, attempts }) => is_synced && attempts === 0),
      );
    },
    close: async () => {
      await server.app.close();
      await jobs.close();
      await database.close();
    },
  };
}
