import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationHeldUpError } from '../../db/migration-lock.ts';
import { findMissingLimits } from '../../db/time-limits.ts';
import { hasAccount } from '../../db/queries/accounts.ts';
import { deleteOldEvents } from '../../db/queries/events.ts';
import { isHeldUp, isOutOfReach, isReadOnly } from '../../db/sql-state.ts';
import { finishOldDeletions } from '../service/accounts/closed-accounts.ts';
import { allowancesOf } from '../service/allowances/allowances.ts';
import { createChatPlatform } from '../service/chat-relay/chat-platform.ts';
import { type Config, ConfigError, loadConfig } from '../service/config.ts';
import { openDatabase } from '../service/database.ts';
import { Authentication } from '../service/keys/authentication.ts';
import { hearRevocations } from '../service/keys/revocations.ts';
import { buildApp } from './app.ts';
import { explainExposedSettings } from '../service/exposed-settings.ts';
import { introduce } from './first-start.ts';
import { createForwarding } from '../service/forwarding/forwarding.ts';
import { listeningAddress } from '../service/listening-address.ts';
import { createLogger } from './logger.ts';
import { startMaintenance } from './maintenance.ts';
import { reservedNames } from '../service/names/reserved-names.ts';
import { closeOnSignal } from './shutdown.ts';
import { explainDatabaseFailure, explainListenFailure } from '../service/start-failure.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '../service/chat-relay/webhook-url.ts';

const MAX_RETRY_MS = 30_000;

const config = readConfig();
const { logger, flush } = await createLogger(config.LOG_LEVEL);
/** What is open, closed in the opposite order. */
const open = new AsyncDisposableStack();
let ready = false;
closeOnSignal(logger, { drain, close: () => open.disposeAsync(), flush });

const database = await openDatabase(config, { logger, say, user: { kind: 'server' } }).catch(
  (error: unknown) => fail(explainDatabaseFailure(error, config), error),
);
open.defer(database.close);
const { db, reads, aggregates, metricReads, shares, url } = database;
const webhookHosts = config.CHAT_WEBHOOK_HOSTS ?? DEFAULT_WEBHOOK_HOSTS;
const chatPlatform = createChatPlatform({
  logger,
  hosts: webhookHosts,
  sends: {
    perSecond: config.CHAT_MESSAGES_PER_SECOND,
    perMinute: config.CHAT_MESSAGES_PER_MINUTE,
  },
});
const forwarding = await createForwarding({ config, db, url, logger });
open.defer(forwarding.stop);
const authentication = new Authentication(database, (error) => logger.error(error));
const app = await buildApp({
  db,
  reads,
  aggregates,
  metricReads,
  shares,
  authentication,
  logger,
  forwarding,
  chatPlatform,
  webhookHosts,
  isReserved: reservedNames(config),
  mailDomain: config.MAIL_DOMAIN,
  refusedDomains: config.FORWARDING_REFUSED_DOMAINS,
  destinationsPerDay: config.FORWARDING_ADDRESSES_PER_DAY,
  quarantineDays: config.NAME_QUARANTINE_DAYS,
  registrationOpen: config.REGISTRATION === 'invite',
  allowances: allowancesOf(config),
  limits: { requestsPerMinute: config.RATE_LIMIT_PER_MINUTE },
  trustProxy: config.TRUST_PROXY,
  corsOrigins: config.CORS_ORIGINS,
  publicUrl: config.PUBLIC_URL,
  host: config.HOST,
  homeUrl: config.HOME_URL,
  abuseContact: config.ABUSE_CONTACT,
  pageCacheSeconds: config.PAGE_CACHE_SECONDS,
  isReady: () => ready,
});
open.defer(async () => {
  await Promise.all([app.close(), chatPlatform.close()]);
});
open.defer(
  startMaintenance(db, logger, [
    forwarding.tidy,
    () => deleteOldEvents(db, config.EVENT_DAYS),
    () => finishOldDeletions(db, forwarding),
  ]),
);
open.defer(() => {
  ready = false;
});

// A PostgreSQL server may be out of reach for a while; meanwhile the port answers.
if (database.folder !== undefined) await prepare();
await app
  .listen({ port: config.PORT, host: config.HOST, listenTextResolver: () => 'listening' })
  .catch((error: unknown) => fail(explainListenFailure(error, config), error));
const { address, others } = listeningAddress(app.server.address() as AddressInfo);
say(
  `Nameplate listens on ${address}${others} and keeps its data in ${database.place}.`,
  `The API reference is at ${address}/docs.`,
);
if (database.folder === undefined) {
  await prepare();
  await tellMissingLimits();
}
open.defer(hearRevocations({ url, authentication, logger }));
ready = true;
if (database.folder !== undefined)
  say(
    ...(await introduce(db, {
      folder: database.folder,
      url: address,
      publicUrl: config.PUBLIC_URL,
      terminal: process.stderr.isTTY,
    })),
  );
// A start does not fail for the sake of a hint.
else if (!(await hasAccount(db).catch(() => true)))
  say('There is no account yet. To make the first: npm run --silent nameplate -- accounts create');
const exposed = explainExposedSettings('.env');
if (exposed) say(exposed);
say('Ready. Ctrl-C stops it.');

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    explain(error instanceof ConfigError ? error.message : undefined, error);
    process.exit(1);
  }
}

/** Goes on answering while those who send requests here notice that the server is not ready any more. */
async function drain(): Promise<void> {
  if (!ready) return;
  ready = false;
  await sleep(config.SHUTDOWN_DELAY_SECONDS * 1_000);
}

/** Brings the schema up to date. A PostgreSQL server that is out of reach or held up is waited for. */
async function prepare(): Promise<void> {
  for (let delay = 1_000; ; delay = Math.min(delay * 2, MAX_RETRY_MS))
    try {
      await database.migrate();
      await forwarding.start();
      return;
    } catch (error) {
      const sentence = explainDatabaseFailure(error, config);
      const passes = [isOutOfReach, isReadOnly, isHeldUp].some((is) => is(error));
      if (!passes && !(error instanceof MigrationHeldUpError)) return fail(sentence, error);
      const problem = sentence ?? 'The database is busy.';
      logger.warn({ problem }, 'the database cannot be used yet');
      say(`${problem} Trying again in ${delay / 1_000} s.`);
      await sleep(delay);
    }
}

/** Without time limits a request fails after a while, and what it asked for may be done later. */
async function tellMissingLimits(): Promise<void> {
  // A start does not fail for the sake of a hint.
  const missing = await findMissingLimits(db).catch(() => []);
  if (missing.length === 0) return;
  logger.warn({ missing }, 'statements have no time limits');
  say(
    `A pooler before PostgreSQL leaves out ${missing.join(', ')}: set ${missing.length === 1 ? 'it' : 'them'} for the user of DATABASE_URL with ALTER ROLE, or what was answered as a failure can be done later.`,
  );
}

function say(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Says one sentence, or the whole error if it is a defect of ours. */
function explain(sentence: string | undefined, error: unknown): void {
  if (sentence === undefined) console.error(error);
  else say(sentence);
}

/** Ends the process and says why. */
async function fail(sentence: string | undefined, error: unknown): Promise<never> {
  explain(sentence, error);
  await open.disposeAsync();
  process.exit(1);
}
