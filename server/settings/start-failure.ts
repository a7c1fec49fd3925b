import { existsSync, readFileSync, statSync } from 'node:fs';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { MigrationFailedError } from '#db/migrating/migration-failure.ts';
import { MigrationHeldUpError } from '#db/migrating/migration-lock.ts';
import { SharedSessionsError } from '#db/connections/own-sessions.ts';
import { PrivateDatabaseError } from '#db/embedded/private-database-error.ts';
import {
  isPermissionDenied,
  isConnectionLimitReached,
  isMissingDatabase,
  isServerUnavailable,
  isPasswordMissing,
  isProtocolViolation,
  isReadOnly,
  isWrongLogin,
} from '#db/sql-state.ts';
import type { Config } from './config.ts';

type Failure = NodeJS.ErrnoException;

/** Errors of ours whose message is meant for people. */
const SAYING_ALL = [
  MigrationFailedError,
  MigrationHeldUpError,
  NewerSchemaError,
  PrivateDatabaseError,
  SharedSessionsError,
];

/** By code or, of the driver's errors without one, by message; the first that fits. */
const OUT_OF_REACH: [pattern: RegExp, why: string][] = [
  [/^(?:ECONNREFUSED|ENOENT)$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its name cannot be looked up'],
  [/^(?:EHOST|ENET)/, 'no way leads there'],
  [/timeout|^ETIMEDOUT/i, 'it does not answer in time'],
  [/^57P0/, 'it is starting or stopping'],
  [/^/, 'the connection was lost'],
];

/** Why the database cannot be used, as one sentence for people; undefined if that is a defect of ours. */
export function explainDatabaseFailure(error: unknown, config: Config): string | undefined {
  if (SAYING_ALL.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, message } = error as Failure;
  if (isWrongLogin(error))
    return 'The PostgreSQL server refused the user or password of DATABASE_URL.';
  if (isPasswordMissing(error))
    return 'The PostgreSQL server of DATABASE_URL asks for a password, and there is none; put it into DATABASE_URL.';
  if (isMissingDatabase(error))
    return 'The database of DATABASE_URL does not exist; create it with createdb.';
  // Citus propagates types and functions to its workers with their owner, which only a superuser may do.
  if (isPermissionDenied(error) && message.startsWith('must be superuser'))
    return `PostgreSQL lets only a superuser do this (${message}). With Citus, run db/citus.sql after the migrations, then start: see docs/scaling.md.`;
  if (isPermissionDenied(error))
    return 'The user of DATABASE_URL may not create tables; grant it CREATE on the database and its schema, or run nameplate migrate as the owner of the tables.';
  if (isProtocolViolation(error))
    return `The PostgreSQL server of DATABASE_URL, or the pooler before it, refused the connection: ${message}.`;
  if (isReadOnly(error))
    return 'The PostgreSQL server of DATABASE_URL is read-only: it is a standby, or was set so.';
  if (isServerUnavailable(error))
    return `The PostgreSQL server of DATABASE_URL cannot be reached: ${whyOutOfReach(error as Failure)}.`;
  if (config.DATABASE_URL !== undefined && /SSL|TLS|CERT/i.test(`${code} ${message}`))
    return `The connection to the PostgreSQL server of DATABASE_URL cannot be secured (${code ?? message}); check its certificates, or add ?sslmode=disable to DATABASE_URL if the network between is yours alone.`;
  if (
    config.DATABASE_URL === undefined &&
    /^(?:EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|EEXIST)$/.test(code ?? '')
  )
    return `The data folder ${config.DATA_DIR} cannot be written (${message}); check its permissions and space, or choose another DATA_DIR.`;
  return undefined;
}

/** Never with the driver's own words, which may have an address of the operator's. */
function whyOutOfReach(failure: Failure): string {
  const { code, message } = failure;
  const why = isConnectionLimitReached(failure)
    ? 'all its connections are taken'
    : OUT_OF_REACH.find(([pattern]) => pattern.test(code ?? message))![1];
  return code === undefined ? why : `${why} (${code})`;
}

/** Explains what to do where a pooler does not pass on time limits. */
export function explainMissingLimits(missing: readonly string[]): { problem: string; fix: string } {
  return {
    problem: `A pooler before PostgreSQL leaves out ${missing.join(', ')}.`,
    fix: `Set ${missing.length === 1 ? 'it' : 'them'} for the user of DATABASE_URL with ALTER ROLE, or what was answered as a failure can be done later.`,
  };
}

/** Explains a schema that differs from `db/schema.sql` although every migration has run. */
export function explainMissingColumns(missing: readonly string[]): {
  problem: string;
  fix: string;
} {
  return {
    problem: `The database lacks ${missing.join(', ')}: a migration was edited after it had run here.`,
    fix: 'In development, start with an empty DATA_DIR or a new database.',
  };
}

/** Where a server was to listen, and what the settings that say so begin with. */
interface ListeningPlace {
  host: string;
  port: number;
  prefix?: string;
}

/** Why the server cannot listen, as one sentence for people; undefined if that is a defect of ours. */
export function explainListenFailure(
  error: unknown,
  { host, port, prefix = '' }: ListeningPlace,
): string | undefined {
  switch ((error as Failure).code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; stop what listens there, or choose another ${prefix}PORT.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user; choose another ${prefix}PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine has no address ${host}; choose another ${prefix}HOST.`;
    default:
      return undefined;
  }
}

const SECRET_SETTING =
  /^\s*(?:export\s+)?(DATABASE_URL|SMTP_URL|\w+_(?:KEY|TOKEN|SECRET))[ \t]*=[ \t]*\S/m;

/** Warning if other users can read a secret in the settings file. */
export function explainExposedSettings(file: string): string | undefined {
  // Windows has no file modes.
  if (process.platform === 'win32' || !existsSync(file)) return undefined;
  if ((statSync(file).mode & 0o044) === 0) return undefined;
  const [, name] = SECRET_SETTING.exec(readFileSync(file, 'utf8')) ?? [];
  return name && `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`;
}
