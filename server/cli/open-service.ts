import type { Kysely } from 'kysely';
import { readQueue } from '#db/queries/jobs.ts';
import { findAppliedMigrations } from '#db/migrating/migrate.ts';
import { NoDatabaseError } from '#db/embedded/private-database-error.ts';
import type { Database } from '#db/schema.ts';
import { type Change, changesBy, whoRunsThis } from '../features/operators/change.ts';
import { type Allowances, allowancesOf } from '../limits/allowances/allowances.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { createOutbox, type Outbox } from '../mail/outbox.ts';
import type { Finding } from '../features/forwarding/provider.ts';
import { createForwarding, type ForwardingService } from '../features/forwarding/forwarding.ts';
import { linkAddress, listeningAddress } from '../settings/listening-address.ts';
import type { Naming } from '../features/names/change-display-name.ts';
import { reservedNames } from '../features/names/reserved-names.ts';
import { explained, openForCommand, say, silent } from './open-database.ts';

/** Dependencies of commands, until they are disposed of. */
export interface Service extends AsyncDisposable {
  /** To read from; what changes something is done by `change`. */
  db: Kysely<Database>;
  change: Change;
  forwarding: ForwardingService;
  outbox: Outbox;
  /** Findings about the mail server and mail that waits. */
  checkMail: () => Promise<Finding[]>;
  naming: Naming;
  allowances: Allowances;
  /** Finds the beginning of links; says so if that is a guess. */
  findAddress: () => string;
  /** The migrations that ran when the database was opened. */
  migrations: string[];
}

export interface ServiceOptions {
  /** Whether a private database is made where there is none. */
  make?: boolean;
  /** Whether an empty database gets its tables; by default, where a private one is made. */
  setUp?: boolean;
}

/** Opens the database that the settings name, migrated and without time limits, and forwarding. */
export async function openService(options: ServiceOptions = {}): Promise<Service> {
  const config = loadConfig(process.env);
  return explained(config, () => open(config, options));
}

async function open(
  config: Config,
  { make = false, setUp = make }: ServiceOptions,
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const database = await openForCommand(config, make);
  opened.defer(() => database.close().catch(ignore));
  const { db, url, place } = database;
  if (!setUp && (await findAppliedMigrations(db)).length === 0)
    throw new NoDatabaseError(
      `There is no Nameplate data in ${place}; start the server once, run nameplate migrate, or set DATABASE_URL to where it is.`,
    );
  const jobs = new JobQueue({ url, logger: silent });
  opened.defer(() => jobs.close().catch(ignore));
  const forwarding = await createForwarding({ config, db, jobs, logger: silent });
  const outbox = createOutbox(jobs, config);
  const allowances = allowancesOf(config);
  const migrations = await database.migrate();
  if ((await readQueue(db)) === undefined) await jobs.open();
  const everything = opened.move();
  return {
    db,
    change: changesBy(db, { who: whoRunsThis(), via: 'command' }),
    forwarding,
    outbox,
    // Other commands do not wait for the SMTP client.
    checkMail: async () => (await import('../mail/check-mail.ts')).checkMail(config, db),
    allowances,
    findAddress: () => findAddress(config, database.serverAddress),
    naming: {
      forwarding,
      outbox,
      // The operator renames as often as need be.
      allowances: { ...allowances, nameChangesPerDay: 0 },
      isReserved: reservedNames(config),
      quarantineDays: config.NAME_QUARANTINE_DAYS,
    },
    migrations,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

function findAddress({ PUBLIC_URL, HOST, PORT }: Config, running: string | undefined): string {
  const known = PUBLIC_URL ?? running;
  if (known !== undefined) return known;
  const family = HOST.includes(':') ? 'IPv6' : 'IPv4';
  const { address } = listeningAddress({ address: HOST, port: PORT, family });
  const guess = linkAddress(address);
  say(`The link begins with ${guess} by HOST and PORT; set PUBLIC_URL if the server is elsewhere.`);
  return guess;
}

/** Ignores an error of closing: the work is done, or has failed for a reason that is known already. */
function ignore(): void {}
