/**
 * Settings of a new private database: lines of its `postgresql.conf`, where an operator may change them.
 * Durable, as PostgreSQL is by default, and small.
 */
export const INITIAL_SETTINGS = {
  // The data folder as seen from the database's own: a short path, whatever the folder's is.
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  listen_addresses: '',
  max_connections: '50',
  shared_buffers: '64MB',
  min_wal_size: '32MB',
  max_wal_size: '512MB',
  // Nobody replicates it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A line is `SQLSTATE|SEVERITY:  message`, without what callers sent.
  log_line_prefix: '%e|',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};
