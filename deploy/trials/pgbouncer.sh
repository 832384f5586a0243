#!/usr/bin/env bash
# Runs Postern through PgBouncer in transaction mode, with PgBouncer's default settings, on a server whose default
# isolation is repeatable read. Needs a built checkout, root, and Debian’s packages pgbouncer and postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
chmod 755 "$work"
pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT
# The newest version that is installed.
bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -1)
port=$((20000 + RANDOM % 20000))
database_port=$((port + 1))
pooler_port=$((port + 2))

echo "== PostgreSQL with default_transaction_isolation = 'repeatable read'"
install -d -o postgres "$work/data" "$work/pooler"
as_postgres() { exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
(as_postgres "$bin/initdb" -D "$work/data" --auth=trust > "$work/initdb.log")
as_postgres "$bin/postgres" -D "$work/data" -p "$database_port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c default_transaction_isolation='repeatable read' > "$work/postgres.log" 2>&1 &
pids+=("$!")
until "$bin/psql" -h 127.0.0.1 -p "$database_port" -U postgres -c 'CREATE DATABASE postern' > /dev/null 2>&1; do sleep 0.2; done

echo "== PgBouncer in transaction mode, four server connections, no ignored start-up parameters"
cat > "$work/pooler/pgbouncer.ini" <<INI
[databases]
postern = host=127.0.0.1 port=$database_port dbname=postern
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $pooler_port
unix_socket_dir =
auth_type = trust
auth_file = $work/pooler/users
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
INI
echo '"postgres" ""' > "$work/pooler/users"
as_postgres pgbouncer "$work/pooler/pgbouncer.ini" > "$work/pgbouncer.log" 2>&1 &
pids+=("$!")
url="postgres://postgres@127.0.0.1:$pooler_port/postern"

export POSTERN_PORT=$port POSTERN_DATA_DIR=$work/postern POSTERN_FEEDS=off POSTERN_DNS_CANARIES=off POSTERN_DEMO=off
export POSTERN_DNS_SERVERS=127.0.0.1:9 POSTERN_DNS_BUDGET_MS=50 POSTERN_LOG_FORMAT=json POSTERN_DATABASE_URL=$url
POSTERN_WORKERS=2 node deploy/postern.mjs serve > "$work/postern.log" 2>&1 &
postern=$!
pids+=("$postern")
until curl -fs "127.0.0.1:$port/readyz" > /dev/null; do kill -0 "$postern" || { cat "$work/postern.log"; exit 1; }; sleep 0.2; done
node deploy/postern.mjs project create --id trial --quota 1000000 --rate-server 1000000 > /dev/null
key=$(node deploy/postern.mjs key create --project trial --type server --json | node -p 'JSON.parse(require("fs").readFileSync(0)).key')

echo "== 2000 requests, 32 at a time"
node deploy/trials/load.mjs "http://127.0.0.1:$port" trial "$key" 2000 32 | tee "$work/load.txt"
used=$("$bin/psql" -h 127.0.0.1 -p "$database_port" -U postgres -d postern -At -c "SELECT used FROM quota WHERE project_id = 'trial'")
echo "counted in the database: $used"
grep -q '^200: 2000$' "$work/load.txt"
[ "$used" = 2000 ]

echo "== what a refused start-up parameter looks like"
POSTERN_DATABASE_URL="$url?statement_timeout=1000" node deploy/postern.mjs project list 2>&1 | tee "$work/refused.txt" || true
grep -q 'refuses the start-up parameter statement_timeout' "$work/refused.txt"
echo "== passed"
