#!/bin/sh
# deploy/trials/recipes.sh [--install] [LANGUAGE…]: runs the code of docs/recipes against a real service. A language whose tools
# are not installed is skipped and named. With --install they are installed from Debian first (as root), and every language must
# run. Exit status 1 if one fails.
set -eu
tools='python3-jwt python3-cryptography python3-requests python3-flask php-cli php-curl ruby ruby-rbnacl golang-go default-jdk-headless libslf4j-java
  php-laravel-framework ruby-actionpack ruby-railties libspring-test-java libspring-web-servlet-java libservlet-api-java
  libjackson2-databind-java libcommons-logging-java kotlin libandroid-json-java'
libraries='php-lcobucci-jwt php-lcobucci-clock php-psr-clock ruby-jwt golang-github-golang-jwt-jwt-v5-dev libjose4j-java'

# Debian 12 lacks most of these libraries, and its ruby-jwt cannot read an Ed25519 key set. They are source code and Java
# bytecode, so the packages of Debian 13 work there too: they are unpacked into a folder and used from it.
unpack_libraries() {
  folder=${RECIPE_LIBRARIES:-/var/cache/postern-recipes}
  work=$(mktemp -d)
  mkdir -p "$folder" "$work/lists/partial" "$work/cache/archives/partial"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$work/sources.list"
  options="-qq -o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$work/lists
    -o Dir::Cache=$work/cache -o APT::Sandbox::User=root"
  # shellcheck disable=SC2086 # lists of words
  (cd "$work" && apt-get $options update && apt-get $options download $libraries)
  for package in "$work"/*.deb; do dpkg-deb -x "$package" "$folder"; done
  rm -r "$work"
}

if [ "${1:-}" = --install ]; then
  shift
  # shellcheck disable=SC2086 # lists of words
  if apt-cache show libjose4j-java >/dev/null 2>&1; then
    apt-get install -y --no-install-recommends $tools $libraries
  else
    apt-get install -y --no-install-recommends $tools
    unpack_libraries
  fi
  export RECIPES_MUST_RUN=1
fi
node "$(dirname "$0")/recipes.mjs" "$@"
if [ $# -eq 0 ]; then node "$(dirname "$0")/recipe-webhooks.mjs"; fi
