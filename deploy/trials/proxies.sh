#!/bin/sh
# deploy/trials/proxies.sh [nginx] [caddy]: puts the proxies’ configurations of docs/https.md and docs/scaling.md before
# a real service and sends requests through them. A proxy that is not installed is skipped and named; with --install they are
# installed from Debian first (as root). Exit status 1 if one fails.
set -eu
if [ "${1:-}" = --install ]; then
  shift
  apt-get install -y --no-install-recommends nginx-light caddy
fi
exec node "$(dirname "$0")/proxies.mjs" "$@"
