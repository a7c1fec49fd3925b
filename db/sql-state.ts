/** The SQLSTATE of an error that the database answered, or undefined if the error is of another kind. */
function sqlState(error: unknown): string | undefined {
  const code = property(error, 'code');
  // With a digit, which tells it from the system's own codes, such as EPIPE.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

function property(error: unknown, name: 'code' | 'message' | 'syscall'): string {
  const value =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : '';
  return typeof value === 'string' ? value : '';
}

function hasState(pattern: RegExp): (error: unknown) => boolean {
  return (error) => pattern.test(sqlState(error) ?? '');
}

/** The server answered it; all else comes from the way to it. */
export function isFromServer(error: unknown): boolean {
  return sqlState(error) !== undefined;
}

/** A row refers to one that is not there. */
export const isMissingReference = hasState(/^23503$/);
/** A value that no column takes; what a caller may send is checked before, so this was overlooked. */
export const isUnstorable = hasState(/^(?:22021|22P05|22P02|22003|22001|22007|54000|54001)$/);
/** A value or a constraint; the server repeats values in the message. */
export const isAboutValues = hasState(/^2[23]/);
/** Whether a prepared statement is no longer what the client takes it for; nothing was done. */
export const isStatementLost = hasState(/^(?:26000|42P05|0A000)$/);
/** A time zone that the server does not know. */
export const isTimeZoneUnknown = hasState(/^22023$/);
/** The transaction may be tried again: it was undone for the sake of another one, or nothing was done. */
export const isRetryable = hasState(/^(?:40001|40P01|26000|42P05|0A000)$/);
/** A table that is made is there already; also if another transaction made it in the meantime. */
export const isAlreadyThere = hasState(/^(?:42P07|23505)$/);
/** Somebody else held a lock for longer than one waits for it. */
export const isLockTimeout = hasState(/^55P03$/);
/** A lock or a statement took longer than one waits for it. */
export const isHeldUp = hasState(/^(?:55P03|57014)$/);
/** The server takes no writes on this connection: it is a standby, or has been made read-only. */
export const isReadOnly = hasState(/^25006$/);

/** The user or the password is wrong. */
export const isWrongLogin = hasState(/^28/);
/** The server asks for a password, and there is none; the driver says so itself, without a code. */
export function isPasswordMissing(error: unknown): boolean {
  return /^SASL: .* client password must be /.test(property(error, 'message'));
}
export const isMissingDatabase = hasState(/^3D000$/);
export const isForbidden = hasState(/^42501$/);
/** Whether a connection pooler refused something; only its own words tell more. */
export const isProtocolViolation = hasState(/^08P01$/);

/** The server starts, recovers or stops. */
export const isStarting = hasState(/^57P03$/);
/** The server's disk has no room for what is written. */
export const isDiskFull = hasState(/^53100$/);
/** All of the server's connections are taken. */
export const isFull = hasState(/^53300$/);

/** PgBouncer uses one code for all its errors. These messages mean that the PostgreSQL server is away for now. */
const POOLER_WAITS =
  /^server (?:login has been failing|conn|DNS)|\(server down\)|^query_wait_timeout|^no more connections/;

const isUnreachable = hasState(/^(?:57P0|08|53300)/);
const isPassing = hasState(/^(?:08|53|57)/);
const isFatal = hasState(/^(?:08|57P|58|XX)/);

/** The server cannot be reached for now: nobody answers, the connection was lost, or it takes no more of them. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutOfReach);
  if (isProtocolViolation(error)) return POOLER_WAITS.test(property(error, 'message'));
  if (isFromServer(error)) return isUnreachable(error);
  return (
    property(error, 'syscall') === 'connect' ||
    /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(property(error, 'code')) ||
    // The driver's own errors have no code.
    /timeout|terminated|Client has encountered a connection error/i.test(property(error, 'message'))
  );
}

/** It may be better in a moment: the same may be tried again. */
export function isTemporary(error: unknown): boolean {
  return [isOutOfReach, isPassing, isReadOnly, isLockTimeout, isRetryable].some((is) => is(error));
}

/** The connection cannot be trusted any more, or is of no use. */
export function isBroken(error: unknown): boolean {
  return !isFromServer(error) || isFatal(error) || isReadOnly(error);
}
