#!/bin/sh
# Installs Debian's Postfix with its PostgreSQL maps, unconfigured and without starting it.
set -eu

if [ "$(id -u)" != 0 ]; then
  echo 'Run this test as root: it installs Postfix, and Postfix starts as root only.' >&2
  exit 1
fi
if [ -x /usr/sbin/postfix ] && [ -e /usr/lib/postfix/postfix-pgsql.so ]; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo 'This test needs Debian or Ubuntu: it installs postfix and postfix-pgsql with apt-get.' >&2
  exit 1
fi

policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod 755 $policy
fi
echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections
apt-get -q update
DEBIAN_FRONTEND=noninteractive \
  apt-get -q -y --no-install-recommends install postfix postfix-pgsql
