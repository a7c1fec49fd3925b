import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

const BINARIES_DIR = '/usr/lib/postgresql/15/bin';
/** Binaries of the Debian package of PostgreSQL 15, the oldest supported version. */
export const DEBIAN_BINARIES = {
  initdb: `${BINARIES_DIR}/initdb`,
  postgres: `${BINARIES_DIR}/postgres`,
};

/** Settings of the role that connects, as other programs may need them. */
const FOREIGN_SETTINGS = {
  array_nulls: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  datestyle: 'German',
  default_transaction_isolation: 'serializable',
  exit_on_error: 'on',
  extra_float_digits: '-3',
  intervalstyle: 'iso_8601',
  standard_conforming_strings: 'off',
  timezone: 'Asia/Kathmandu',
  transform_null_equals: 'on',
};

export default (project: TestProject) =>
  setup(project, { binaries: DEBIAN_BINARIES, roleSettings: FOREIGN_SETTINGS });
