import { readQueueStates } from '#db/queries/jobs.ts';
import { findAppliedMigrations } from '#db/migrating/migrate.ts';
import { NoDatabaseError } from '#db/embedded/embedded-database-error.ts';
import {
  type AuditedRunner,
  createAuditedRunner,
  describeOsUser,
} from '#server/features/operators/audited-runner.ts';
import type { App } from '#server/app.ts';
import { allowancesFromConfig } from '#server/platform/limits/allowances/allowances.ts';
import { type Config, loadConfig } from '#server/platform/settings/config.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { createOutbox } from '#server/features/mails/outbox.ts';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import {
  toBrowsableOrigin,
  describeListeningAddress,
} from '#server/platform/settings/listening-address.ts';
import { createReservedNameCheck } from '#server/features/names/reserved-names.ts';
import {
  withDatabaseErrors,
  openForCommand,
  printToStderr,
  silentLogger,
} from './open-database.ts';

/** Changes that an operator makes go through `runAudited`; `db` is for reads and cleanup. */
export interface Service
  extends
    AsyncDisposable,
    Pick<App, 'allowances' | 'config' | 'db' | 'forwarding' | 'isReserved' | 'outbox'> {
  runAudited: AuditedRunner;
  /** Warns on standard error if the URL is a guess. */
  origin: () => string;
  migrations: string[];
}

export interface ServiceOptions {
  createIfMissing?: boolean;
  /** Whether to create the tables in an empty database. Default: `createIfMissing`. */
  createTables?: boolean;
}

export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const config = loadConfig(process.env, { isCommand: true });
  return withDatabaseErrors(config, () => open(config, options));
}

async function open(
  config: Config,
  { createIfMissing = false, createTables = createIfMissing }: ServiceOptions,
): Promise<Service> {
  await using resources = new AsyncDisposableStack();
  const database = await openForCommand(config, createIfMissing ? 'create' : 'fail');
  resources.defer(() => database.close().catch(ignoreError));
  const { db, url, description } = database;
  if (!createTables && (await findAppliedMigrations(db)).length === 0)
    throw new NoDatabaseError(
      `There is no Nameplate data in ${description}; start the server once, run nameplate migrate, or set DATABASE_URL.`,
    );
  const jobs = new JobQueue({ url, logger: silentLogger });
  resources.defer(() => jobs.close().catch(ignoreError));
  const forwarding = await createForwarding({ config, db, jobs, logger: silentLogger });
  const outbox = createOutbox(jobs, config);
  const allowances = allowancesFromConfig(config);
  const migrations = await database.migrate();
  if ((await readQueueStates(db)) === undefined) await jobs.open();
  const ownedResources = resources.move();
  return {
    db,
    runAudited: createAuditedRunner(db, { who: describeOsUser(), via: 'command' }),
    config,
    forwarding,
    outbox,
    isReserved: createReservedNameCheck(config),
    allowances,
    origin: () => findBaseUrl(config, database.serverAddress),
    migrations,
    [Symbol.asyncDispose]: () => ownedResources.disposeAsync(),
  };
}

function findBaseUrl(
  { PUBLIC_URL, HOST, PORT }: Config,
  serverAddress: string | undefined,
): string {
  const configured = PUBLIC_URL ?? serverAddress;
  if (configured !== undefined) return configured;
  const family = HOST.includes(':') ? 'IPv6' : 'IPv4';
  const { address } = describeListeningAddress({ address: HOST, port: PORT, family });
  const guess = toBrowsableOrigin(address);
  printToStderr(
    `The link uses ${guess}, from HOST and PORT. Set PUBLIC_URL if the server has another address.`,
  );
  return guess;
}

/** Ignores errors on closing, because the command has already succeeded or failed by then. */
function ignoreError(): void {}
