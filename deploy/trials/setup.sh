# shellcheck shell=bash
# What the trials share: a folder that is removed at the end, processes that are ended, PostgreSQL, Postern, projects.
# Source it from the root of a built checkout.
work=$(mktemp -d)
chmod 755 "$work"
pids=()
# The newest version that is installed.
bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -1)
port=$((20000 + RANDOM % 20000))

stop_all() {
  local status=$?
  for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
  # A load that repeats its requests until they are answered waits for a service that is gone. The second signal ends it.
  if [ "$status" != 0 ]; then
    sleep 5
    for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
  fi
  for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null || true; done
  if [ "$status" != 0 ]; then
    # The last lines of each log say why.
    for log in "$work"/*.log; do echo "--- ${log##*/}" && tail -5 "$log"; done >&2
  fi
  if [ -n "${KEEP:-}" ]; then echo "kept: $work" >&2; else rm -rf "$work"; fi
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# until_true SECONDS COMMAND…: waits for a state, and fails with what it waited for.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || { echo "gave up waiting for: $*" >&2; return 1; }
    sleep 0.2
  done
}

# PostgreSQL refuses to run as root.
as_postgres() { exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

# run_postgres NAME PORT [-c setting=value…]: on a folder that is there, also after a crash
run_postgres() {
  local name=$1 database_port=$2
  shift 2
  as_postgres "$bin/postgres" -D "$work/$name" -p "$database_port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c max_connections=200 "$@" >> "$work/$name.log" 2>&1 &
  pids+=("$!")
}

# start_postgres NAME PORT [-c setting=value…]
start_postgres() {
  install -d -o postgres "$work/$1"
  (as_postgres "$bin/initdb" -D "$work/$1" --auth=trust > "$work/$1-initdb.log")
  run_postgres "$@"
  until_true 60 "$bin/psql" -h 127.0.0.1 -p "$2" -U postgres -c 'CREATE DATABASE postern'
}

# No internet, no demo project, and DNS that fails at once: the trials are about counting.
export POSTERN_FEEDS=off POSTERN_DNS_CANARIES=off POSTERN_DEMO=off POSTERN_DNS_SERVERS=127.0.0.1:9
export POSTERN_DNS_BUDGET_MS=50 POSTERN_LOG_FORMAT=json POSTERN_LOG_MAX_ROWS=10000000

postern() { node "${POSTERN_PROGRAM:-deploy/postern.mjs}" "$@"; }

# start_postern NAME PORT: with the settings that are exported; leaves its process ID in $postern_pid
start_postern() {
  POSTERN_PORT=$2 node "${POSTERN_PROGRAM:-deploy/postern.mjs}" serve >> "$work/$1.log" 2>&1 &
  postern_pid=$!
  pids+=("$postern_pid")
}

# wait_ready PORT
wait_ready() { until_true "${READY_SECONDS:-120}" curl -fs "${scheme:-http}://127.0.0.1:$1/readyz"; }

# make_project ID: prints ID:KEY, as load.mjs wants it
make_project() {
  postern project create --id "$1" --quota 100000000 --rate-server 100000000 > /dev/null
  local key
  key=$(postern key create --project "$1" --type server --json | node -p 'JSON.parse(require("fs").readFileSync(0)).key')
  echo "$1:$key"
}

# lines FILE: how many there are
lines() { if [ -f "$1" ]; then wc -l < "$1"; else echo 0; fi; }
at_least() { [ "$(lines "$1")" -ge "$2" ]; }
