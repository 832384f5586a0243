#!/usr/bin/env bash
# What a platform team does to a service, under load: configuration from files, key rotation, reload, upgrade and
# rollback, backup, and a restore on another machine. No acknowledged request may be lost or counted twice.
#   REQUESTS=500 RATE=150 OTHER_PROGRAM=/path/to/other/checkout/deploy/postern.mjs deploy/trials/platform-team.sh
# The load goes on until the end; REQUESTS is how many are acknowledged between two steps. OTHER_PROGRAM is the version to upgrade to and
# to come back from; without it, the same version is started again. Needs a built checkout.
set -euo pipefail
cd "$(dirname "$0")/../.."
requests=${REQUESTS:-500}
rate=${RATE:-150}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

export POSTERN_DATA_DIR=$work/service
start_postern service "$port"
service=$postern_pid
wait_ready "$port"
project=$(make_project shop)

restart_as() {
  kill "$service"
  wait "$service" || true
  POSTERN_PROGRAM=$1 start_postern service "$port"
  service=$postern_pid
  wait_ready "$port"
}
# step NAME: when so many more requests were acknowledged
step() {
  until_true 600 at_least "$work/acknowledged" $(($(lines "$work/acknowledged") + requests))
  echo "$1 ($(lines "$work/acknowledged") acknowledged)"
}
expect_status() {
  local wanted=$1 status=0
  shift
  "$@" > "$work/last.txt" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { echo "status $status, expected $wanted: $*" >&2; cat "$work/last.txt" >&2; exit 1; }
}

node deploy/trials/counted-load.mjs --url "http://127.0.0.1:$port" --project "$project" --at-once 16 --rate "$rate" \
  --acknowledged "$work/acknowledged" --idempotent > "$work/load.json" &
load=$!
pids+=("$load")

step 'a pipeline applies files'
postern config export > "$work/projects.yaml"
expect_status 0 postern apply "$work/projects.yaml" --prune --dry-run
sed 's/^retentionDays: .*/retentionDays: 30/; s/^rules: \[\]/rules: [{ id: hosting, name: Hosting, when: ip.kind == "hosting", then: flag }]/' \
  "$work/projects.yaml" > "$work/wanted.yaml"
expect_status 2 postern apply "$work/wanted.yaml" --prune --dry-run
expect_status 0 postern apply "$work/wanted.yaml" --prune --as pipeline --reason 'Ticket 1'
expect_status 0 postern apply "$work/wanted.yaml" --prune --dry-run
echo 'nome: oops' >> "$work/wanted.yaml"
expect_status 1 postern apply "$work/wanted.yaml" --prune
before=$(postern audit verify --json | node -p 'JSON.parse(require("fs").readFileSync(0)).end')

step 'signing keys and API keys are rotated, the certificate is read again'
expect_status 0 postern signing-key rotate
extra=$(postern key create --project shop --type server --json | node -p 'JSON.parse(require("fs").readFileSync(0)).id')
expect_status 0 postern key revoke "$extra"
kill -HUP "$service"

step 'upgrade'
restart_as "${OTHER_PROGRAM:-deploy/postern.mjs}"
step 'rollback'
restart_as deploy/postern.mjs

step 'backup, and a restore on another machine'
postern backup "$work/backup.db" > /dev/null
(
  export POSTERN_DATA_DIR=$work/other
  postern restore "$work/backup.db" --yes > /dev/null
  postern audit verify --expect "$before" > /dev/null
  start_postern other $((port + 1))
  wait_ready $((port + 1))
  kill "$postern_pid"
  wait "$postern_pid" || true
  postern apply "$work/projects.yaml" --dry-run > "$work/restored.txt" && exit 1
  # It has what the pipeline applied before the backup.
  grep -q 'retentionDays: 90, was 30' "$work/restored.txt"
)

step 'the files are the truth again'
expect_status 0 postern apply "$work/projects.yaml" --prune --as pipeline
step 'the end'
kill "$load"
wait "$load"
cat "$work/load.json"
expect_status 0 postern audit verify --expect "$before"
postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged"
echo "== passed"
