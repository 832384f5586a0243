#!/usr/bin/env bash
# Runs the service for a while under steady load with a faster clock (libfaketime), so that retention is at work from the
# first minutes on. Memory and files must stay flat.
#   MINUTES=60 RATE=200 STORE=sqlite SPEED=1000 deploy/trials/soak.sh
# SPEED 1000: a day takes 86 seconds, which is also how long log rows and sightings are kept. Timers keep the real pace.
# Needs a built checkout and Debian’s package faketime; STORE=postgres also needs root and postgresql-15.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes=${MINUTES:-5}
rate=${RATE:-200}
store=${STORE:-sqlite}
speed=${SPEED:-1000}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

export POSTERN_DATA_DIR=$work/data POSTERN_LOG_RETENTION_DAYS=1
if [ "$store" = postgres ]; then
  start_postgres database $((port + 1)) -c autovacuum_naptime=5s
  export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$((port + 1))/postern
fi
library=$(dirname "$(find /usr/lib -name libfaketime.so.1 | head -1)")/libfaketime.so.1
faster() { LD_PRELOAD=$library FAKETIME="+0 x$speed" FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 "$@"; }

echo "== $store, $rate requests a second for $minutes minutes, clock x$speed"
faster start_postern service "$port"
service=$postern_pid
wait_ready "$port"
project=$(make_project trial)
postern project update trial --retention-days 1 > /dev/null
node deploy/trials/counted-load.mjs --url "http://127.0.0.1:$port" --project "$project" --rate "$rate" --at-once 64 \
  --acknowledged "$work/acknowledged" > "$work/load.json" &
load=$!
pids+=("$load")

samples=$((minutes * 6))
for _ in $(seq "$samples"); do
  sleep 10
  kill -0 "$service"
  curl -fs "127.0.0.1:$port/metrics" > "$work/metrics.txt"
  memory=$(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$service/status")
  value() { awk -v name="$1" '$1 ~ "^" name "($|{)" { sum += $2 } END { printf "%d", sum }' "$work/metrics.txt"; }
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(lines "$work/acknowledged")" "$memory" $(($(value postern_store_bytes) / 1048576)) \
    "$(value postern_log_rows)" "$(value postern_sweep_rows_total)" "$(value postern_sweep_failures_total)" >> "$work/samples.tsv"
done
kill "$load"
wait "$load"
cat "$work/load.json"
node deploy/trials/soak-report.mjs "$work/samples.tsv"
echo "== passed"
