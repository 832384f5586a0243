#!/usr/bin/env bash
# Several processes count the requests of one project in one PostgreSQL, so that batches wait for its row. Under load the
# database and the processes are killed in turn. Every acknowledged request must be counted once.
#   PROCESSES=4 DATABASE_KILLS=10 SERVICE_KILLS=10 REQUESTS_BETWEEN=2000 SLOW_MS=2 deploy/trials/one-project.sh
# SLOW_MS makes each sync of the database’s disk take that much longer, and with it the time in which a crash could lose what
# others already see. Needs a built checkout, root, cc, and Debian’s package postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."
processes=${PROCESSES:-4}
database_kills=${DATABASE_KILLS:-10}
service_kills=${SERVICE_KILLS:-10}
between=${REQUESTS_BETWEEN:-2000}
at_once=${AT_ONCE:-64}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

cc -shared -fPIC -O2 -o "$work/slow-sync.so" bench/slow-sync.c
database_port=$((port + 100))
SLOW_SYNC_MICROS=$((${SLOW_MS:-2} * 1000))
export SLOW_SYNC_MICROS
start_database() { LD_PRELOAD=$work/slow-sync.so start_postgres database "$database_port"; }
start_database
database=${pids[-1]}
export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$database_port/postern
sql() { "$bin/psql" -h 127.0.0.1 -p "$database_port" -U postgres -d postern -At "$@"; }

declare -A service
# Processes of one installation are as on several machines.
start_service() {
  POSTERN_DATA_DIR=$work/service-$1 start_postern "service-$1" "$1"
  service[$1]=$postern_pid
  wait_ready "$1"
}
ports=()
for number in $(seq "$processes"); do
  ports+=($((port + number)))
  start_service $((port + number))
done
export POSTERN_DATA_DIR=$work/service-${ports[0]}
plain=$(make_project plain)
careful=$(make_project careful)

# start_load NAME PROJECT [--idempotent]
start_load() {
  node deploy/trials/counted-load.mjs "${ports[@]/#/--url=http://127.0.0.1:}" --project "$2" --at-once $((at_once / 2)) \
    --acknowledged "$work/$1" "${@:3}" > "$work/$1.json" &
  pids+=("$!")
}
start_load plain "$plain"
plain_load=${pids[-1]}
start_load careful "$careful" --idempotent
careful_load=${pids[-1]}
acknowledge_more() { until_true 600 at_least "$work/plain" $(($(lines "$work/plain") + between / 2)); }

kill_database() {
  # All of its processes at once, as when a machine loses its power: what was only in memory is gone.
  # shellcheck disable=SC2046 # one word for each process
  kill -9 "$database" $(pgrep -P "$database")
  wait "$database" 2> /dev/null || true
  LD_PRELOAD=$work/slow-sync.so run_postgres database "$database_port"
  database=${pids[-1]}
}
kill_service() {
  local killed=${ports[RANDOM % processes]}
  kill -9 "${service[$killed]}"
  wait "${service[$killed]}" 2> /dev/null || true
  start_service "$killed"
}

echo "== $processes processes, $database_kills kills of the database, $service_kills of a process"
number=0
while [ "$number" -lt "$database_kills" ] || [ "$number" -lt "$service_kills" ]; do
  number=$((number + 1))
  for kind in database service; do
    limit=${kind}_kills
    [ "$number" -le "${!limit}" ] || continue
    acknowledge_more
    sleep "0.$((RANDOM % 900 + 100))"
    "kill_$kind"
  done
  echo "round $number: $(lines "$work/plain") and $(lines "$work/careful") acknowledged"
done
acknowledge_more
kill "$plain_load" "$careful_load"
wait "$plain_load" "$careful_load"
echo "without Idempotency-Key: $(cat "$work/plain.json")"
echo "with Idempotency-Key:    $(cat "$work/careful.json")"

# A request that got a 503 or no answer may have been counted. With an Idempotency-Key it was repeated until it was answered.
verify() {
  postern export - > "$work/export.jsonl"
  grep '"plain"' "$work/export.jsonl" |
    node deploy/trials/verify-counts.mjs "$work/plain" --load "$work/plain.json" &&
    grep '"careful"' "$work/export.jsonl" | node deploy/trials/verify-counts.mjs "$work/careful"
}
verify
echo "== passed"
