#!/usr/bin/env bash
# Runs an earlier version and this one side by side on one PostgreSQL under load: forwards, and back where the schema
# allows it. Every acknowledged request must be counted exactly once.
#   deploy/trials/upgrade.sh [REF]     REF: the earlier version; the last tag by default
# Needs a built git checkout with node_modules, root, and Debian’s package postgresql-15.
set -euo pipefail
cd "$(dirname "$0")/../.."
reference=${1:-$(git describe --tags --abbrev=0)}
between=${REQUESTS_BETWEEN:-500}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

echo "== build of $(git log -1 --format='%h %s' "$reference")"
earlier=$work/earlier
mkdir "$earlier"
git archive "$reference" | tar -x -C "$earlier"
# Copied, not linked: the packages of the workspace are links, which must lead to the earlier version’s.
cp -a node_modules "$earlier/"
for modules in packages/*/node_modules; do
  if [ -d "$modules" ]; then cp -a "$modules" "$earlier/${modules%/*}/"; fi
done
(cd "$earlier" && npm run build > "$work/build.log" 2>&1)

database_port=$((port + 1))
start_postgres database "$database_port"
export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$database_port/postern
old_port=$((port + 2))
new_port=$((port + 3))
start_old() {
  POSTERN_DATA_DIR=$work/data-old POSTERN_PROGRAM=$earlier/deploy/postern.mjs start_postern "$1" "$old_port"
  old=$postern_pid
}

load() {
  local seen
  seen=$(lines "$work/acknowledged")
  node deploy/trials/counted-load.mjs "$@" --project "$project" --at-once 8 --acknowledged "$work/acknowledged" \
    --requests "$between" > "$work/load-$seen.json" &
  load_pid=$!
  pids+=("$load_pid")
}

echo "== the earlier version alone, then both, then the new one alone"
start_old old
wait_ready "$old_port"
project=$(POSTERN_PROGRAM=$earlier/deploy/postern.mjs make_project trial)
load --url "http://127.0.0.1:$old_port"
# This one migrates while the earlier version answers.
POSTERN_DATA_DIR=$work/data-new start_postern new "$new_port"
new=$postern_pid
wait_ready "$new_port"
wait "$load_pid"
load --url "http://127.0.0.1:$old_port" --url "http://127.0.0.1:$new_port"
wait "$load_pid"
kill "$old"
wait "$old" || true
load --url "http://127.0.0.1:$new_port"
wait "$load_pid"

echo "== back"
start_old old-again
back=yes
until curl -fs "127.0.0.1:$old_port/readyz" > /dev/null; do
  kill -0 "$old" 2> /dev/null || { back=no; break; }
  sleep 0.2
done
if [ $back = yes ]; then
  load --url "http://127.0.0.1:$old_port" --url "http://127.0.0.1:$new_port"
  wait "$load_pid"
  kill "$new"
  wait "$new" || true
  load --url "http://127.0.0.1:$old_port"
  wait "$load_pid"
else
  echo "the earlier version refuses the database: $(tail -1 "$work/old-again.log")"
fi
cat "$work"/load-*.json

echo "== what the database has"
verify() { postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged"; }
until_true 60 verify || true
verify
echo "== passed"
