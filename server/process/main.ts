import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../api/app.ts';
import { createChatPlatform } from '../service/chat-relay/chat-platform.ts';
import { type Config, ConfigError, loadConfig } from '../service/config.ts';
import { type OpenDatabase, openDatabase } from '../service/database.ts';
import { hasAccount, makeFirstAccount } from './first-start.ts';
import { Authentication } from '../service/keys/authentication.ts';
import { hearRevocations } from '../service/keys/revocations.ts';
import { createForwarding } from '../service/forwarding/forwarding.ts';
import { createLogger } from './logger.ts';
import { startMaintenance } from './maintenance.ts';
import { reservedNames } from '../service/names/reserved-names.ts';
import { closeOnSignal } from './shutdown.ts';
import {
  explainDatabaseFailure,
  explainListenFailure,
  isOutOfReach,
} from '../service/start-failure.ts';
import { DEFAULT_WEBHOOK_HOSTS } from '../service/chat-relay/webhook-url.ts';

const MAX_RETRY_MS = 30_000;

const config = readConfig();
const { logger, flush } = createLogger(config.LOG_LEVEL);

const database = await openDatabase(config, logger).catch((error: unknown) =>
  fail(explainDatabaseFailure(error, config), error),
);
let ready = false;
const webhookHosts = config.CHAT_WEBHOOK_HOSTS ?? DEFAULT_WEBHOOK_HOSTS;
const chatPlatform = createChatPlatform({ db: database.db, logger, hosts: webhookHosts });
const forwarding = createForwarding({
  config,
  db: database.db,
  pglite: database.pglite,
  logger,
});
const isReserved = reservedNames(config.RESERVED_NAMES);
const authentication = new Authentication(database, (error) => logger.error(error));
const app = await buildApp({
  db: database.db,
  reads: database.reads,
  authentication,
  logger,
  forwarding,
  chatPlatform,
  webhookHosts,
  isReserved,
  mailDomain: config.MAIL_DOMAIN,
  quarantineDays: config.NAME_QUARANTINE_DAYS,
  limits: {
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    corsOrigins: config.CORS_ORIGINS,
  },
  isReady: () => ready,
});
const stopMaintenance = startMaintenance(database, logger);
let stopHearing = () => Promise.resolve();
closeOnSignal(logger, close, flush);

if (database.embedded) await prepare(database);
const address = await app
  .listen({ port: config.PORT, host: config.HOST, listenTextResolver: () => 'listening' })
  .catch((error: unknown) => fail(explainListenFailure(error, config), error));
say(
  `Nameplate listens on ${address} and keeps its data in ${database.place}.`,
  `The API reference is at ${address}/docs.`,
);
if (!database.embedded) await prepare(database);
if (database.url !== undefined)
  stopHearing = hearRevocations({ url: database.url, authentication, logger });
ready = true;
if (database.embedded) await introduce(database, address);
// A start does not fail for the sake of a hint.
else if (!(await hasAccount(database.db).catch(() => true)))
  say('There is no account yet. To make the first: npm run --silent nameplate -- accounts create');
say('Ready. Ctrl-C stops it.');

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    return fail(error instanceof ConfigError ? error.message : undefined, error);
  }
}

/** Brings the schema up to date. A PostgreSQL server that is out of reach is waited for. */
async function prepare({ migrate }: OpenDatabase): Promise<void> {
  for (let delay = 1_000; ; delay = Math.min(delay * 2, MAX_RETRY_MS))
    try {
      await migrate();
      await forwarding.start();
      return;
    } catch (error) {
      const sentence = explainDatabaseFailure(error, config);
      if (!isOutOfReach(error)) return fail(sentence, error);
      say(`${sentence} Trying again in ${delay / 1_000} s.`);
      await sleep(delay);
    }
}

async function close(): Promise<void> {
  ready = false;
  stopMaintenance();
  await Promise.all([app.close(), chatPlatform.close(), stopHearing()]);
  await forwarding.stop();
  await database.close();
}

/** On the first start prints the first key, which is never shown again, and a request to paste. */
async function introduce({ db }: OpenDatabase, url: string): Promise<void> {
  const first = await makeFirstAccount(db);
  if (!first) return;
  say(
    '',
    'This is the first start, so an account was made. Its API key is shown only now:',
    '',
    `  ${first.apiKey}`,
    '',
    `It has one project, ${first.projectId}, for metrics. Try the key:`,
    '',
    `  curl -H 'X-API-KEY: ${first.apiKey}' ${url}/account/get-display-name`,
    '',
    'The examples of README.md take both from the shell:',
    '',
    `  export KEY=${first.apiKey} PROJECT=${first.projectId}`,
    '',
  );
}

function say(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Ends the process with one sentence, or with the whole error if it is a defect of ours. */
function fail(sentence: string | undefined, error: unknown): never {
  if (sentence === undefined) console.error(error);
  else say(sentence);
  process.exit(1);
}
