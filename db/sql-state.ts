function sqlState(error: unknown): string | undefined {
  const code = errorProperty(error, 'code');
  // The required digit excludes system error codes such as EPIPE.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

function errorProperty(
  error: unknown,
  name: 'code' | 'constraint' | 'message' | 'syscall',
): string {
  const value =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : '';
  return typeof value === 'string' ? value : '';
}

function hasSqlState(pattern: RegExp): (error: unknown) => boolean {
  return (error) => pattern.test(sqlState(error) ?? '');
}

/** Whether the error came from PostgreSQL or a pooler, not from the network or the driver. */
export function isFromServer(error: unknown): boolean {
  return sqlState(error) !== undefined;
}

export const isForeignKeyViolation = hasSqlState(/^23503$/);
/** A row refers to an account that was deleted meanwhile. */
export function isAccountMissing(error: unknown): boolean {
  return (
    isForeignKeyViolation(error) && errorProperty(error, 'constraint').endsWith('_account_id_fkey')
  );
}
/** PostgreSQL cannot store a value. Validation should have rejected it. */
export const isInvalidValue = hasSqlState(/^(?:22021|22P05|22P02|22003|22001|22007|54000|54001)$/);
/** A data or constraint error. Its message may contain user data. */
export const isDataError = hasSqlState(/^2[23]/);
/** The prepared statement is missing, duplicate or outdated. Nothing was executed. */
export const isPreparedStatementInvalid = hasSqlState(/^(?:26000|42P05|0A000)$/);
export const isTimeZoneUnknown = hasSqlState(/^22023$/);
/** The transaction can be retried: it was rolled back (deadlock, serialization failure), or nothing was executed. */
export const isRetryable = hasSqlState(/^(?:40001|40P01|26000|42P05|0A000)$/);
/** The table or row already exists; a parallel transaction may have created it. */
export const isDuplicate = hasSqlState(/^(?:42P07|23505)$/);
export const isLockTimeout = hasSqlState(/^55P03$/);
export const isTimeout = hasSqlState(/^(?:55P03|57014)$/);
/** The server is a standby, or is read-only by configuration. */
export const isReadOnly = hasSqlState(/^25006$/);

export const isAuthenticationFailure = hasSqlState(/^28/);
/** The driver reports a missing password without a code. */
export function isPasswordMissing(error: unknown): boolean {
  return /^SASL: .* client password must be /.test(errorProperty(error, 'message'));
}
export const isMissingDatabase = hasSqlState(/^3D000$/);
export const isPermissionDenied = hasSqlState(/^42501$/);
/** PgBouncer uses this code for all errors; only the message differs. */
export const isProtocolViolation = hasSqlState(/^08P01$/);

/** The server is starting, recovering or stopping. */
export const isStartingOrStopping = hasSqlState(/^57P03$/);
/** Not if only `/dev/shm` is full, without which a statement cannot run in parallel. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === '53100' && !/shared memory/.test(errorProperty(error, 'message'));
}
export const isConnectionLimitReached = hasSqlState(/^53300$/);

/** PgBouncer's messages for an unavailable PostgreSQL server. */
const POOLER_UNAVAILABLE =
  /^server (?:login has been failing|conn|DNS)|\(server down\)|^query_wait_timeout|^no more connections/;

const isUnavailableState = hasSqlState(/^(?:57P0|08|53300)/);
const isTemporaryState = hasSqlState(/^(?:08|53|57)/);
const isFatal = hasSqlState(/^(?:08|57P|58|XX)/);

/**
 * No response, a lost connection, too many connections, or a server that is starting or stopping.
 */
export function isServerUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isServerUnavailable);
  if (isProtocolViolation(error)) return POOLER_UNAVAILABLE.test(errorProperty(error, 'message'));
  if (isFromServer(error)) return isUnavailableState(error);
  return (
    errorProperty(error, 'syscall') === 'connect' ||
    /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(errorProperty(error, 'code')) ||
    // Driver errors have no code.
    /timeout|terminated|Client has encountered a connection error/i.test(
      errorProperty(error, 'message'),
    )
  );
}

/** No connection was free or could be opened in time, so nothing was executed. */
export function isConnectTimeout(error: unknown): boolean {
  return /^(?:timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/.test(
    errorProperty(error, 'message'),
  );
}

export function isTemporary(error: unknown): boolean {
  return [isServerUnavailable, isTemporaryState, isReadOnly, isLockTimeout, isRetryable].some(
    (matches) => matches(error),
  );
}

export function isConnectionBroken(error: unknown): boolean {
  return !isFromServer(error) || isFatal(error) || isReadOnly(error);
}
