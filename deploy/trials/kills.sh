#!/usr/bin/env bash
# Kills the service with kill -9 again and again under load, on each store. Every acknowledged request must be in the log
# once, and the quota, the hourly counts and the log must agree.
#   STORES="sqlite postgres" KILLS=100 REQUESTS=500000 deploy/trials/kills.sh
# KILLS and REQUESTS are for each store. Half of the requests have an Idempotency-Key and are repeated until they are
# answered: of these none may be counted twice. Needs a built checkout, and for PostgreSQL root and postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."
kills=${KILLS:-5}
requests=${REQUESTS:-10000}
at_once=${AT_ONCE:-32}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

trial() {
  local store=$1 started=$SECONDS
  local data=$work/$store
  mkdir "$data"
  export POSTERN_DATA_DIR=$data/service
  unset POSTERN_DATABASE_URL
  if [ "$store" = postgres ]; then
    start_postgres database $((port + 1))
    export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$((port + 1))/postern
  fi
  start_postern "service-$store" "$port"
  local service=$postern_pid
  wait_ready "$port"
  local plain careful
  plain=(--project "$(make_project plain-1)" --project "$(make_project plain-2)")
  careful=(--project "$(make_project careful-1)" --project "$(make_project careful-2)")

  node deploy/trials/counted-load.mjs --url "http://127.0.0.1:$port" "${plain[@]}" --at-once $((at_once / 2)) \
    --requests $((requests / 2)) --acknowledged "$data/plain" > "$data/plain.json" &
  local plain_load=$!
  node deploy/trials/counted-load.mjs --url "http://127.0.0.1:$port" "${careful[@]}" --at-once $((at_once / 2)) \
    --requests $((requests / 2)) --acknowledged "$data/careful" --idempotent > "$data/careful.json" &
  local careful_load=$!
  pids+=("$plain_load" "$careful_load")

  # The kills are spread over the requests, and each comes at a random moment.
  for number in $(seq "$kills"); do
    until_true 3600 at_least "$data/plain" $((number * requests / 2 / (kills + 1)))
    sleep "0.$((RANDOM % 900 + 100))"
    kill -9 "$service"
    wait "$service" 2> /dev/null || true
    start_postern "service-$store" "$port"
    service=$postern_pid
    wait_ready "$port"
    if [ $((number % 10)) = 0 ]; then echo "$store: $number kills after $((SECONDS - started)) s"; fi
  done
  wait "$plain_load" "$careful_load"
  echo "without Idempotency-Key: $(cat "$data/plain.json")"
  echo "with Idempotency-Key:    $(cat "$data/careful.json")"

  # A request that got a 503 or no answer may have been counted.
  postern export - > "$data/export.jsonl"
  for kind in plain careful; do
    local limits=(--load "$data/plain.json")
    [ "$kind" = careful ] && limits=()
    echo -n "$store, $kind: "
    grep "\"$kind-[12]\"" "$data/export.jsonl" | node deploy/trials/verify-counts.mjs "$data/$kind" "${limits[@]}"
  done
  kill "$service"
  wait "$service" || true
  rm -rf "$data"
  echo "$store: $kills kills, $((SECONDS - started)) s"
}

for store in ${STORES:-sqlite postgres}; do
  echo "== $store: $kills kills, $requests acknowledged requests"
  trial "$store"
done
echo "== passed"
