import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SharedSessionsError } from '#db/connections/own-sessions.ts';
import { EmbeddedDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { NewerSchemaError } from '#db/migrating/migrate.ts';
import { MigrationFailedError } from '#db/migrating/migration-failure.ts';
import { MigrationBlockedError } from '#db/migrating/migration-lock.ts';
import {
  isPermissionDenied,
  isConnectionLimitReached,
  isMissingDatabase,
  isServerUnavailable,
  isPasswordMissing,
  isProtocolViolation,
  isReadOnly,
  isAuthenticationFailure,
} from '#db/sql-state.ts';
import type { Config } from './config.ts';

type Failure = NodeJS.ErrnoException;

/** A failed start that the operator can repair: `message` says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns a handler for `catch` that throws a `StartError` if the error can be explained. */
export function explainedBy(
  explain: (error: unknown) => string | undefined,
): (error: unknown) => never {
  return (error) => {
    const message = explain(error);
    throw message === undefined ? error : new StartError(message, { cause: error });
  };
}

/** Errors whose message already tells the operator what to do. */
const SELF_EXPLANATORY_ERRORS = [
  MigrationFailedError,
  MigrationBlockedError,
  NewerSchemaError,
  EmbeddedDatabaseError,
  SharedSessionsError,
  StartError,
];

/**
 * The first match wins. Patterns apply to the error code, or to the message if there is no code.
 */
const UNREACHABLE_REASONS: [pattern: RegExp, reason: string][] = [
  [/^(?:ECONNREFUSED|ENOENT)$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its host name cannot be resolved'],
  [/^(?:EHOST|ENET)/, 'there is no route to it'],
  [/timeout|^ETIMEDOUT/i, 'it does not respond in time'],
  [/^57P0/, 'it is starting or stopping'],
  [/^/, 'the connection was lost'],
];

/** By the code of OpenSSL or Node. The first match wins. */
const TLS_ADVICE: [code: RegExp, advice: string][] = [
  [
    /SELF_SIGNED|^UNABLE_TO/,
    'If its certificate is from your own authority, add ?sslrootcert=/etc/nameplate/ca.pem to DATABASE_URL, with the path of the certificate of that authority.',
  ],
  [/ALTNAME/, 'DATABASE_URL must have the host name that is in its certificate.'],
  [/EXPIRED|NOT_YET/, 'Renew its certificate, and check the date of this machine.'],
  [/^ERR_OSSL/, 'Check the files that DATABASE_URL names in sslcert and sslkey.'],
  [/^/, 'Turn TLS on there, or add ?sslmode=disable to DATABASE_URL if the network is private.'],
];

/** Returns a message for the operator, or undefined if the error is a bug. */
export function explainDatabaseFailure(error: unknown, config: Config): string | undefined {
  if (SELF_EXPLANATORY_ERRORS.some((kind) => error instanceof kind))
    return (error as Error).message;
  const { code, message } = error as Failure;
  if (isAuthenticationFailure(error))
    return 'The PostgreSQL server refused the user or password of DATABASE_URL.';
  if (isPasswordMissing(error))
    return 'The PostgreSQL server of DATABASE_URL requires a password. Add it to DATABASE_URL.';
  if (isMissingDatabase(error))
    return 'The database of DATABASE_URL does not exist; create it with createdb.';
  // When Citus copies types and functions to its workers, it also sets their owner, which only a
  // superuser may do.
  if (isPermissionDenied(error) && message.startsWith('must be superuser'))
    return `PostgreSQL allows this only for a superuser (${message}). With Citus, run db/citus.sql after the migrations, then start: see docs/scaling.md.`;
  if (isPermissionDenied(error))
    return 'The user of DATABASE_URL may not create tables; grant it CREATE on the database and its schema, or run nameplate migrate as the owner of the tables.';
  if (isProtocolViolation(error))
    return `The PostgreSQL server of DATABASE_URL, or the pooler in front of it, refused the connection: ${message}.`;
  if (isReadOnly(error))
    return 'The PostgreSQL server of DATABASE_URL is read-only. It may be a standby.';
  if (isServerUnavailable(error))
    return `The PostgreSQL server of DATABASE_URL cannot be reached: ${unreachableReason(error as Failure)}.`;
  if (config.DATABASE_URL !== undefined && /SSL|TLS|CERT/i.test(`${code} ${message}`))
    return `The connection to the PostgreSQL server of DATABASE_URL cannot be secured (${code ?? message}). ${TLS_ADVICE.find(([pattern]) => pattern.test(code ?? ''))![1]}`;
  if (
    config.DATABASE_URL === undefined &&
    /^(?:EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|EEXIST)$/.test(code ?? '')
  )
    return `The data folder ${config.DATA_DIR} cannot be written (${message}); check its permissions and space, or choose another DATA_DIR.`;
  return undefined;
}

/** Leaves out the driver's message, which may contain an address. */
function unreachableReason(failure: Failure): string {
  const { code, message } = failure;
  const reason = isConnectionLimitReached(failure)
    ? 'all its connections are in use'
    : UNREACHABLE_REASONS.find(([pattern]) => pattern.test(code ?? message))![1];
  return code === undefined ? reason : `${reason} (${code})`;
}

export function explainMissingLimits(missing: readonly string[]): string {
  return `A pooler in front of PostgreSQL removes ${missing.join(', ')}. Set ${missing.length === 1 ? 'it' : 'them'} for the user of DATABASE_URL with ALTER ROLE. Otherwise, a statement may still run after its request has failed.`;
}

interface ListenOptions {
  host: string;
  port: number;
  prefix?: string;
}

export function explainListenFailure(
  error: unknown,
  { host, port, prefix = '' }: ListenOptions,
): string | undefined {
  switch ((error as Failure).code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the other program, or choose another ${prefix}PORT.`;
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

const SECRET_NAME = /_(?:KEY|TOKEN|SECRET)$/;

/** A URL is a secret only with a password. */
function isSecret(name: string, value = ''): boolean {
  if (SECRET_NAME.test(name)) return !['', 'true', 'false'].includes(value);
  if (!name.endsWith('_URL')) return false;
  const url = URL.parse(value);
  return url ? url.password !== '' || url.searchParams.has('password') : value.includes('@');
}

export function exposedSettingsWarning(file: string): string | undefined {
  // Windows has no file modes.
  if (process.platform === 'win32' || !existsSync(file)) return undefined;
  if ((statSync(file).mode & 0o044) === 0) return undefined;
  const settings = Object.entries(parseEnv(readFileSync(file, 'utf8')));
  const [name] = settings.find((entry) => isSecret(...entry)) ?? [];
  return name && `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`;
}
