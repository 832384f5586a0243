#!/usr/bin/env bash
# Kills the leader of a PostgreSQL cluster several times under load: Patroni with etcd, three members, synchronous
# replication, HAProxy in front of the database. Several processes count the same project, so that batches let the next one go
# before disk and standby have them (docs/decisions/0011-row-lock.md). Every acknowledged request must be counted exactly once.
#   KILLS=5 PROCESSES=3 deploy/trials/failover.sh
# Needs a built checkout, root, and Debian’s packages patroni, etcd-server, haproxy and postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."
kills=${KILLS:-5}
processes=${PROCESSES:-3}
between=${REQUESTS_BETWEEN:-2000}
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

etcd_port=$((port + 1))
proxy_port=$((port + 2))
members=(one two three)
rest_port() { echo $((port + 10 + $1)); }
database_port() { echo $((port + 20 + $1)); }
declare -A member_pid

echo "== etcd, Patroni with three members of PostgreSQL (synchronous_mode_strict), HAProxy"
etcd --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd_port" \
  --advertise-client-urls "http://127.0.0.1:$etcd_port" --listen-peer-urls "http://127.0.0.1:$((port + 3))" \
  --initial-advertise-peer-urls "http://127.0.0.1:$((port + 3))" \
  --initial-cluster "default=http://127.0.0.1:$((port + 3))" > "$work/etcd.log" 2>&1 &
pids+=("$!")
until_true 30 curl -fs "127.0.0.1:$etcd_port/health"

install -d -o postgres "$work/cluster"
start_member() {
  local name=${members[$1]}
  deploy/trials/patroni-member.sh "$name" "$work/cluster" "$etcd_port" "$(rest_port "$1")" "$(database_port "$1")" "$bin" \
    > "$work/$name.yml"
  as_postgres patroni "$work/$name.yml" >> "$work/$name.log" 2>&1 &
  member_pid[$1]=$!
  pids+=("$!")
}
start_member 0
until_true 120 curl -fs "127.0.0.1:$(rest_port 0)/primary"
start_member 1
start_member 2

{
  echo 'defaults'
  echo '  mode tcp'
  echo '  timeout connect 1s'
  echo '  timeout client 1h'
  echo '  timeout server 1h'
  echo 'listen database'
  echo "  bind 127.0.0.1:$proxy_port"
  echo '  option httpchk GET /primary'
  echo '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions'
  for index in 0 1 2; do
    echo "  server ${members[$index]} 127.0.0.1:$(database_port "$index") check port $(rest_port "$index")"
  done
} > "$work/haproxy.cfg"
haproxy -db -f "$work/haproxy.cfg" > "$work/haproxy.log" 2>&1 &
pids+=("$!")

sql() { "$bin/psql" -h 127.0.0.1 -p "$proxy_port" -U postgres -At "$@"; }
leader() {
  local index
  for index in 0 1 2; do
    if curl -fs -o /dev/null "127.0.0.1:$(rest_port "$index")/primary"; then echo "$index"; return; fi
  done
  return 1
}
has_standby() { [ "$(sql -c "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" -ge 1 ]; }
whole() { [ "$(sql -c "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")" = 2 ] && has_standby; }
until_true 180 whole
sql -c 'CREATE DATABASE postern' > /dev/null
echo "$(sql -c 'SHOW server_version'), synchronous_standby_names: $(sql -c 'SHOW synchronous_standby_names')"

export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$proxy_port/postern
urls=()
for number in $(seq "$processes"); do
  POSTERN_DATA_DIR=$work/postern-$number start_postern "service-$number" $((port + 30 + number))
  wait_ready $((port + 30 + number))
  urls+=(--url "http://127.0.0.1:$((port + 30 + number))")
done
export POSTERN_DATA_DIR=$work/postern-1
projects=()
for id in first second; do projects+=(--project "$(make_project "$id")"); done

echo "== load, and $kills kills of the leader"
node deploy/trials/counted-load.mjs "${urls[@]}" "${projects[@]}" --at-once 48 \
  --acknowledged "$work/acknowledged" > "$work/load.json" &
load=$!
pids+=("$load")
for number in $(seq "$kills"); do
  until_true 300 at_least "$work/acknowledged" $(($(lines "$work/acknowledged") + between))
  until_true 180 whole
  killed=$(leader)
  before=$(lines "$work/acknowledged")
  started=$(date +%s%3N)
  # Patroni first, so that it cannot restart PostgreSQL; both at once, as when a machine loses its power.
  postmaster=$(head -1 "$work/cluster/${members[$killed]}/postmaster.pid")
  kill -9 "${member_pid[$killed]}" "$postmaster"
  wait "${member_pid[$killed]}" 2> /dev/null || true
  new_leader() { local now; now=$(leader) && [ "$now" != "$killed" ]; }
  until_true 120 new_leader
  promoted=$(date +%s%3N)
  until_true 120 at_least "$work/acknowledged" $((before + 100))
  echo "kill $number: leader ${members[$killed]}, then ${members[$(leader)]} after $((promoted - started)) ms," \
    "100 answers more after $(($(date +%s%3N) - started)) ms"
  start_member "$killed"
done
until_true 300 at_least "$work/acknowledged" $(($(lines "$work/acknowledged") + between))
until_true 180 whole
kill "$load"
wait "$load"
cat "$work/load.json"

echo "== what the database has"
# A request that got a 503 or no answer may have been counted.
postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged" --load "$work/load.json"
echo "== passed"
