import { expect, it } from 'vitest';
import { isServerUnavailable } from '#db/sql-state.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { explainDatabaseFailure } from '#server/platform/settings/start-failure.ts';

const config = loadConfig({ DATABASE_URL: 'postgres://jane:secret@db.example.org/nameplate' });

it.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.7:5432', 'nothing listens there (ECONNREFUSED)'],
  ['ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', 'nothing listens there (ENOENT)'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', 'its host name cannot be resolved (ENOTFOUND)'],
  ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN db', 'its host name cannot be resolved (EAI_AGAIN)'],
  ['EHOSTUNREACH', 'connect EHOSTUNREACH', 'there is no route to it (EHOSTUNREACH)'],
  ['ENETUNREACH', 'connect ENETUNREACH', 'there is no route to it (ENETUNREACH)'],
  ['ETIMEDOUT', 'connect ETIMEDOUT', 'it does not respond in time (ETIMEDOUT)'],
  [undefined, 'timeout expired', 'it does not respond in time'],
  [undefined, 'Connection terminated due to connection timeout', 'it does not respond in time'],
  [undefined, 'Connection terminated unexpectedly', 'the connection was lost'],
  ['ECONNRESET', 'read ECONNRESET', 'the connection was lost (ECONNRESET)'],
  ['57P03', 'the database system is starting up', 'it is starting or stopping (57P03)'],
  ['53300', 'sorry, too many clients already', 'all its connections are in use (53300)'],
])('an unreachable database with %s (%s) is reported with the reason', (code, message, reason) => {
  const error = Object.assign(new Error(message), {
    code,
    ...(message.startsWith('connect ') && { syscall: 'connect' }),
  });
  expect(explainDatabaseFailure(error, config)).toBe(
    `The PostgreSQL server of DATABASE_URL cannot be reached: ${reason}.`,
  );
});

it.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
])('an untrusted certificate (%s) is not reported as unreachable', (code, message) => {
  expect(explainDatabaseFailure(Object.assign(new Error(message), { code }), config)).toContain(
    `cannot be secured (${code})`,
  );
});

it.each([
  'server login has been failing, try again later (server_login_retry)',
  'client_login_timeout (server down)',
  'server conn crashed?',
  'no more connections allowed (max_client_conn)',
])('a PgBouncer error about a missing database server counts as unavailable (%s)', (message) => {
  expect(isServerUnavailable(Object.assign(new Error(message), { code: '08P01' }))).toBe(true);
});

it('an error that Citus requires a superuser is reported with instructions', () => {
  const message = 'must be superuser to alter superuser roles or change superuser attribute';
  const error = Object.assign(new Error(message), { code: '42501' });
  expect(explainDatabaseFailure(error, config)).toBe(
    `PostgreSQL allows this only for a superuser (${message}). With Citus, run db/citus.sql after the migrations, then start: see docs/citus.md.`,
  );
});

it('a missing password is reported', () => {
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  expect(explainDatabaseFailure(error, config)).toBe(
    'The PostgreSQL server of DATABASE_URL requires a password. Add it to DATABASE_URL.',
  );
});
