#!/bin/sh
# deploy/trials/recipes.sh [LANGUAGE…]: runs the code of docs/recipes against a real service. A language whose tools are not
# installed is skipped and named; with --install they are installed from Debian first (as root). Exit status 1 if one fails.
set -eu
if [ "${1:-}" = --install ]; then
  shift
  apt-get install -y --no-install-recommends python3-jwt python3-cryptography python3-requests php-cli php-curl ruby \
    golang-go golang-github-golang-jwt-jwt-dev default-jdk-headless libjackson2-databind-java
fi
exec node "$(dirname "$0")/recipes.mjs" "$@"
