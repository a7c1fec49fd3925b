import { pino } from 'pino';
import type { Fetch } from '#client/index.ts';
import { NoDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { findAppliedMigrations } from '#db/migrating/migrate.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import { createApp } from '#server/app.ts';
import type { Services } from '#server/features/services.ts';
import { loadVerifiedSecretBox } from '#server/features/setup/encryption-key.ts';
import type { Caller, CheckedCredentials } from '#server/platform/caller.ts';
import {
  type AuditedRunner,
  commandActor,
  createAuditedRunner,
} from '#server/platform/http/contract/audited-runner.ts';
import { createInProcessFetch } from '#server/platform/http/in-process-fetch.ts';
import { type Config, loadConfig } from '#server/platform/settings/config.ts';
import {
  toBrowsableOrigin,
  describeListeningAddress,
} from '#server/platform/settings/listening-address.ts';
import { withDatabaseErrors, openForCommand, printToStderr } from './open-database.ts';

export interface Service extends AsyncDisposable {
  /** Runs no jobs and does not listen. Its URLs are guessed if they are not set, with a message. */
  app: Services;
  /** For changes that an operator makes. */
  runAudited: AuditedRunner;
  migrations: string[];
  /** Calls operations in this process. */
  fetchAs: (caller: Caller) => Fetch;
}

/** Whether to create the database if it does not exist, and the tables in an empty one. */
export interface ServiceOptions {
  createIfMissing?: boolean;
}

export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const config = loadConfig(process.env, { isCommand: true });
  return withDatabaseErrors(config, () => open(config, options));
}

async function open(config: Config, { createIfMissing = false }: ServiceOptions): Promise<Service> {
  await using resources = new AsyncDisposableStack();
  const database = await openForCommand(config, createIfMissing ? 'create' : 'fail');
  resources.defer(() => database.close().catch(ignoreError));
  const { db, description } = database;
  if (!createIfMissing && (await findAppliedMigrations(db)).length === 0)
    throw new NoDatabaseError(
      `There is no Nameplate data in ${description}; start the server once, run nameplate migrate, or set DATABASE_URL.`,
    );
  const migrations = await database.migrate();
  let credentials: CheckedCredentials = { ok: false, reason: 'keyMissing' };
  let failureCause: string | undefined;
  const log = pino(
    { level: 'error' },
    {
      write: (line) => {
        failureCause = (JSON.parse(line) as { err?: { message: string } }).err?.message;
      },
    },
  );
  const checker = { check: async () => credentials };
  const app = await createApp(
    { config, log, database },
    {
      sessions: { keys: checker, tokens: checker, close: async () => {} },
      lifecycle: { isReady: true },
      origin: () => findBaseUrl(config, database.serverAddress),
      rateLimitOptions: { requestsPerMinute: 0 },
      secretBox: (await loadVerifiedSecretBox(config, database)).secretBox,
    },
  );
  resources.defer(() => app.close().catch(ignoreError));
  await app.mailServers.refresh();
  if ((await readQueueStates(db)) === undefined) await app.jobs.open();
  const ownedResources = resources.move();
  return {
    app,
    runAudited: createAuditedRunner(db, commandActor()),
    migrations,
    fetchAs: (caller) => {
      credentials = { ok: true, caller };
      const fetch = createInProcessFetch(app.server);
      return async (url, { headers: { 'idempotency-key': _key, ...headers }, ...init }) => {
        const response = (await fetch(url, { ...init, headers })) as Response;
        if (response.status < 500 || failureCause === undefined) return response;
        const { error } = (await response.json()) as { error: string };
        return Response.json({ error: `${error} (${failureCause})` }, response);
      };
    },
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
