#!/bin/sh
# Installs Debian packages that are missing: install-debian-packages.sh PACKAGE...
set -eu
missing=''
for package in "$@"; do
  dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
  echo "These tests need the Debian packages$missing, and this machine has no apt-get." >&2
  exit 1
fi
sudo=''
[ "$(id -u)" = 0 ] || sudo='sudo'
$sudo apt-get update -qq
# Do not start the packages' services, because the tests start what they need.
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq --no-install-recommends $missing
