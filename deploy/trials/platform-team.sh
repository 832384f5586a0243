#!/usr/bin/env bash
# What a platform team does to a service, under load and over HTTPS: configuration from files, rotation of keys and certificate,
# upgrade and rollback, backup, and a restore on another machine. No acknowledged request may be lost or counted twice.
#   REQUESTS=500 RATE=150 deploy/trials/platform-team.sh [sqlite|postgres]
# With postgres there are two processes, which are replaced one after the other, so that both versions run side by side. The load goes on
# until the end; REQUESTS is how many are acknowledged between two steps. OTHER_PROGRAM is the deploy/postern.mjs of the
# version to upgrade to and to come back from; without it, next-version.sh builds one. Needs a built checkout and openssl, and for
# postgres root and Debian’s package postgresql.
set -euo pipefail
cd "$(dirname "$0")/../.."
store=${1:-sqlite}
requests=${REQUESTS:-500}
rate=${RATE:-150}
this=deploy/postern.mjs
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh

other=${OTHER_PROGRAM:-}
if [ -z "$other" ]; then
  deploy/trials/next-version.sh "$work/next"
  other=$work/next/deploy/postern.mjs
fi

# A certificate authority, and certificate NAME of it.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=Trial CA' \
  -keyout "$work/ca.key" -out "$work/ca.pem" 2> /dev/null
make_certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -addext subjectAltName=IP:127.0.0.1 \
    -keyout "$work/$1.key" -out "$work/$1.csr" 2> /dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days 2 \
    -copy_extensions copy -out "$work/$1.pem" 2> /dev/null
}
use_certificate() {
  cp "$work/$1.key" "$work/tls.key"
  cp "$work/$1.pem" "$work/tls.pem"
}
served_name() { openssl s_client -connect "127.0.0.1:$1" < /dev/null 2> /dev/null | openssl x509 -noout -subject; }
serves() { served_name "$1" | grep -q "$2"; }
make_certificate first
make_certificate second
use_certificate first
export POSTERN_TLS_CERT=$work/tls.pem POSTERN_TLS_KEY=$work/tls.key
export CURL_CA_BUNDLE=$work/ca.pem NODE_EXTRA_CA_CERTS=$work/ca.pem
scheme=https

ports=("$port")
export POSTERN_DATA_DIR=$work/service
if [ "$store" = postgres ]; then
  ports+=($((port + 1)))
  start_postgres database $((port + 10))
  export POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$((port + 10))/postern
fi

declare -A service
# start_as PROGRAM PORT: two processes of one installation are as on two machines
start_as() {
  POSTERN_PROGRAM=$1 POSTERN_DATA_DIR=$POSTERN_DATA_DIR$([ "$store" = postgres ] && echo "-$2") start_postern "service-$2" "$2"
  service[$2]=$postern_pid
  wait_ready "$2"
}
# replace_with PROGRAM VERSION: one process after the other
replace_with() {
  local each
  for each in "${ports[@]}"; do
    kill "${service[$each]}"
    wait "${service[$each]}" || true
    start_as "$1" "$each"
    until_true 60 runs_version "$each" "$2"
    acknowledge_more
  done
}
running_version() { curl -fs "https://127.0.0.1:$1/readyz" | node -p 'JSON.parse(require("fs").readFileSync(0)).version'; }
# On a busy machine the database may be away for a moment, and /readyz says so.
runs_version() { [ "$(running_version "$1")" = "$2" ]; }
acknowledge_more() { until_true 600 at_least "$work/acknowledged" $(($(lines "$work/acknowledged") + requests)); }
# step NAME: when so many more requests were acknowledged
step() {
  acknowledge_more
  echo "$1 ($(lines "$work/acknowledged") acknowledged)"
}
expect_status() {
  local wanted=$1 status=0
  shift
  "$@" > "$work/last.txt" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { echo "status $status, expected $wanted: $*" >&2; cat "$work/last.txt" >&2; exit 1; }
}
# field .NAME: of the JSON on standard input
field() { node -p "JSON.parse(require('fs').readFileSync(0))$1"; }
key_ids() { curl -fs "https://127.0.0.1:$port/.well-known/jwks.json" | field ".keys.map(({ kid }) => kid).sort().join('\n')"; }

for each in "${ports[@]}"; do start_as "$this" "$each"; done
version=$(running_version "$port")
IFS=: read -r project key <<< "$(make_project shop)"
echo "$key" > "$work/key"
key_id=$(postern key list --project shop --json | field '[0].id')

node deploy/trials/counted-load.mjs "${ports[@]/#/--url=https://127.0.0.1:}" --project "$project:@$work/key" --at-once 16 \
  --rate "$rate" --acknowledged "$work/acknowledged" --idempotent > "$work/load.json" &
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
before=$(postern audit verify --json | field .end)

step 'the API key is replaced'
postern key create --project shop --type server --json | field .key > "$work/key.new"
mv "$work/key.new" "$work/key"
expect_status 0 postern key revoke "$key_id"
step 'the signing key is rotated'
key_ids > "$work/keys-before"
expect_status 0 postern signing-key rotate
has_more_keys() { [ "$(key_ids | wc -l)" -gt "$(lines "$work/keys-before")" ]; }
until_true 60 has_more_keys
# Verdicts that were signed before can still be verified.
key_ids | comm -13 - "$work/keys-before" | grep -q . && { echo 'a signing key is no longer published' >&2; exit 1; }
step 'the certificate is replaced'
use_certificate second
for each in "${ports[@]}"; do
  serves "$each" first
  kill -HUP "${service[$each]}"
  until_true 30 serves "$each" second
done

step 'upgrade'
replace_with "$other" "$(node "$other" --version | cut -d' ' -f1)"
step 'rollback'
replace_with "$this" "$version"

# restore_elsewhere: another machine has another data folder and another database server
restore_elsewhere() {
  local -x POSTERN_DATA_DIR=$work/elsewhere POSTERN_DATABASE_URL=${POSTERN_DATABASE_URL:-}
  if [ "$store" = postgres ]; then
    start_postgres elsewhere-database $((port + 11))
    "$bin/pg_restore" -h 127.0.0.1 -p $((port + 11)) -U postgres --dbname=postern --no-owner --exit-on-error "$work/backup"
    POSTERN_DATABASE_URL=postgres://postgres@127.0.0.1:$((port + 11))/postern
  else
    postern restore "$work/backup" --yes > /dev/null
  fi
  postern audit verify --expect "$before" > /dev/null
  # Everything that was acknowledged before the backup began is in it.
  postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged-before-backup" --surplus 1000000
  start_postern elsewhere $((port + 2))
  wait_ready $((port + 2))
  curl -fs --retry 20 --retry-delay 1 --retry-all-errors "https://127.0.0.1:$((port + 2))/validate" -H "authorization: Bearer $(cat "$work/key")" -H "x-project-id: $project" \
    -d '{"email":"jane.doe@gmail.com"}' > /dev/null
  kill "$postern_pid"
  wait "$postern_pid" || true
  # It has what the pipeline applied before the backup.
  expect_status 2 postern apply "$work/projects.yaml" --dry-run
  grep -q 'retentionDays: 90, was 30' "$work/last.txt"
}
step 'backup, and a restore on another machine'
cp "$work/acknowledged" "$work/acknowledged-before-backup"
if [ "$store" = postgres ]; then
  "$bin/pg_dump" -h 127.0.0.1 -p $((port + 10)) -U postgres --format=custom --file="$work/backup" postern
else
  postern backup "$work/backup" > /dev/null
fi
restore_elsewhere

step 'the files are the truth again'
expect_status 0 postern apply "$work/projects.yaml" --prune --as pipeline
step 'the end'
kill "$load"
wait "$load"
cat "$work/load.json"
expect_status 0 postern audit verify --expect "$before"
postern export - | node deploy/trials/verify-counts.mjs "$work/acknowledged" --load "$work/load.json"
echo "== passed on $store"
