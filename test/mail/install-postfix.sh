#!/bin/sh
# Installs psql, Debian’s Postfix with PostgreSQL maps but without its configuration, and the given packages.
set -eu
if [ "$(id -u)" != 0 ]; then
  echo 'Run this test as root: only root can start Postfix.' >&2
  exit 1
fi
if command -v debconf-set-selections >/dev/null; then
  echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections
fi
exec sh "$(dirname "$0")/../../tools/install-debian-packages.sh" postfix postfix-pgsql postgresql-client "$@"
