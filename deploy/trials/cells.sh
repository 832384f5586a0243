#!/usr/bin/env bash
# Two cells behind HAProxy, each a service with its own PostgreSQL: projects are routed by X-Project-Id, one project moves
# from the first cell to the second under load, and each cell’s verdicts are verified with the keys of the other.
# Needs a built checkout, root, and Debian’s packages haproxy and postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh
requests=${REQUESTS:-3000}

router_port=$((port + 1))
router="http://127.0.0.1:$router_port"
service_port() { echo $((port + 10 + $1)); }
database_port() { echo $((port + 20 + $1)); }
# on CELL COMMAND…: the command with the cell’s settings
on() {
  local cell=$1
  shift
  POSTERN_DATA_DIR=$work/data-$cell POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$(database_port "$cell")/postern "$@"
}
# runtime COMMAND: changes the running HAProxy
runtime() {
  node -e 'const s = require("net").connect(process.argv[1]); s.end(`${process.argv[2]}\n`); s.pipe(process.stdout)' \
    "$work/haproxy.sock" "$1"
}

echo "== two cells with one file of signing keys and the same hash key"
start_postgres database-1 "$(database_port 1)"
start_postgres database-2 "$(database_port 2)"
export POSTERN_SIGNING_KEYS=$work/signing-keys.json
on 1 postern signing-key rotate > /dev/null
on 1 postern migrate > /dev/null
on 1 postern export --no-projects "$work/cell.jsonl"
on 2 postern migrate > /dev/null
on 2 postern import "$work/cell.jsonl"
for cell in 1 2; do on "$cell" start_postern "service-$cell" "$(service_port "$cell")"; done
for cell in 1 2; do wait_ready "$(service_port "$cell")"; done

# A project is in the cell that the map names. Without a project, any cell answers.
: > "$work/cells.map"
cat > "$work/haproxy.cfg" <<CONFIG
global
  stats socket $work/haproxy.sock mode 600 level admin
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
frontend router
  bind 127.0.0.1:$router_port
  option forwardfor
  http-request set-var(txn.cell) req.hdr(x-project-id),map($work/cells.map,any)
  use_backend %[var(txn.cell)] if { var(txn.cell) -m found }
  default_backend any
backend cell-1
  server one 127.0.0.1:$(service_port 1)
backend cell-2
  server two 127.0.0.1:$(service_port 2)
backend any
  server one 127.0.0.1:$(service_port 1)
  server two 127.0.0.1:$(service_port 2)
backend moving
  http-request return status 503 content-type application/json string '{"error":"Service temporarily unavailable"}' hdr Retry-After 5
CONFIG
haproxy -db -f "$work/haproxy.cfg" > "$work/haproxy.log" 2>&1 &
pids+=("$!")
until_true 30 curl -fs "$router/.well-known/jwks.json"

echo "== projects, created through the CLI and routed to their cells"
declare -A pair
for name in shop blog; do
  cell=1
  [ "$name" = blog ] && cell=2
  pair[$name]=$(on "$cell" make_project "$name")
  runtime "add map $work/cells.map $name cell-$cell" > /dev/null
done
node deploy/trials/cross-verify.mjs \
  "{\"url\":\"http://127.0.0.1:$(service_port 1)\",\"project\":\"shop\",\"key\":\"${pair[shop]#*:}\"}" \
  "{\"url\":\"http://127.0.0.1:$(service_port 2)\",\"project\":\"blog\",\"key\":\"${pair[blog]#*:}\"}"
# These two requests are in the log, too.
counted_before=2

echo "== the same checks directly and through the router"
for place in direct routed; do
  cell=1
  [ "$place" = routed ] && cell=2
  on "$cell" postern project create --id "checks-$place" --quota 12 --allow-domain https://app.example > /dev/null
  runtime "add map $work/cells.map checks-$place cell-$cell" > /dev/null
  keys=()
  for type in server client; do
    keys+=("$(on "$cell" postern key create --project "checks-$place" --type "$type" --json |
      node -p 'JSON.parse(require("fs").readFileSync(0)).key')")
  done
  url=$router
  [ "$place" = direct ] && url=http://127.0.0.1:$(service_port 1)
  node deploy/trials/conformance.mjs "$url" "checks-$place" "${keys[@]}" > "$work/checks-$place.txt"
done
cat "$work/checks-routed.txt"
diff "$work/checks-direct.txt" "$work/checks-routed.txt"
echo "no difference"
for place in direct routed; do
  cell=1
  [ "$place" = routed ] && cell=2
  on "$cell" postern project update "checks-$place" --archive > /dev/null
  on "$cell" postern project delete "checks-$place" --yes
done

echo "== the project shop moves from cell 1 to cell 2 under load"
node deploy/trials/counted-load.mjs --url "$router" --project "${pair[shop]}" --project "${pair[blog]}" --at-once 16 \
  --acknowledged "$work/acknowledged" > "$work/load.json" &
load=$!
pids+=("$load")
until_true 300 at_least "$work/acknowledged" "$requests"
runtime "set map $work/cells.map shop moving" > /dev/null
moving=$(date +%s%3N)
# From here on cell 1 counts nothing more for the project, not even a request that is still on its way.
on 1 postern project update shop --archive > /dev/null
on 1 postern export --project shop "$work/shop.jsonl"
on 2 postern import "$work/shop.jsonl"
on 2 postern project update shop --unarchive > /dev/null
runtime "set map $work/cells.map shop cell-2" > /dev/null
echo "callers of shop got 503 for $(($(date +%s%3N) - moving)) ms"
on 1 postern project delete shop --yes
until_true 300 at_least "$work/acknowledged" $((2 * requests))
kill "$load"
wait "$load"
cat "$work/load.json"

echo "== what the cells have"
on 1 postern project list
on 2 postern project list
on 2 postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged" --surplus "$counted_before"
echo "== passed"
