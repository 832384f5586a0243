#!/usr/bin/env bash
# Checks the alert rules and the dashboard with promtool, then shows on a real Prometheus that a killed worker does not
# look like a restart of the service. Needs a built checkout and Debian’s package prometheus.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

echo "== promtool"
promtool check config deploy/prometheus/prometheus.yml
promtool test rules deploy/prometheus/postern.rules.test.yml
# promtool cannot read dashboards, so the expressions become rules.
node deploy/trials/dashboard-rules.mjs deploy/grafana/postern.json > "$work/dashboard.rules.yml"
promtool check rules "$work/dashboard.rules.yml"

echo "== Postern with two workers, and Prometheus, which reads it every second"
port=$((20000 + RANDOM % 20000))
export POSTERN_PORT=$port POSTERN_DATA_DIR=$work/data POSTERN_FEEDS=off POSTERN_DNS_CANARIES=off POSTERN_DEMO=off
export POSTERN_LOG_FORMAT=json POSTERN_DNS_SERVERS=127.0.0.1:9 POSTERN_DNS_BUDGET_MS=50
POSTERN_WORKERS=2 node deploy/postern.mjs serve > "$work/postern.log" 2>&1 &
postern=$!
pids+=("$postern")
until curl -fs "127.0.0.1:$port/readyz" > /dev/null; do kill -0 "$postern"; sleep 0.2; done
node deploy/postern.mjs project create --id trial > /dev/null
key=$(node deploy/postern.mjs key create --project trial --type server --json | node -p 'JSON.parse(require("fs").readFileSync(0)).key')
cat > "$work/prometheus.yml" <<YAML
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: postern
    static_configs: [{ targets: ["127.0.0.1:$port"] }]
YAML
prometheus_port=$((port + 1))
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" \
  --web.listen-address="127.0.0.1:$prometheus_port" > "$work/prometheus.log" 2>&1 &
pids+=("$!")
until curl -fs "127.0.0.1:$prometheus_port/-/ready" > /dev/null; do sleep 0.2; done

query() {
  curl -fs "127.0.0.1:$prometheus_port/api/v1/query" --data-urlencode "query=$1" |
    node -p 'JSON.parse(require("fs").readFileSync(0)).data.result.map((one) => one.value[1]).join(" ") || "none"'
}
validate() {
  for _ in $(seq "$1"); do
    curl -s -o /dev/null "127.0.0.1:$port/validate" -H "Authorization: Bearer $key" -H 'X-Project-Id: trial' \
      -d '{"email":"jane.doe@gmail.com"}'
  done
}
answered='sum(postern_http_requests_total{route="/validate",status="200"})'
until [ "$(query "$answered")" = 0 ] || [ "$(query up)" = 1 ]; do sleep 0.2; done

validate 300
until [ "$(query "$answered")" = 300 ]; do sleep 0.2; done
worker=$(pgrep -P "$postern" | head -1)
echo "300 answered, killing worker $worker"
kill -9 "$worker"
until [ "$(query postern_worker_restarts_total)" = 1 ] && [ "$(query postern_workers)" = 2 ]; do sleep 0.2; done
validate 300
until [ "$(query "$answered")" = 600 ]; do sleep 0.2; done
sleep 3

echo "answered, as Prometheus has it: $(query "$answered")"
resets=$(query 'sum(resets(postern_http_requests_total[10m])) + sum(resets(postern_validations_total[10m])) + sum(resets(postern_http_request_seconds_count[10m]))')
echo "counter resets seen by Prometheus: $resets"
increase=$(query 'sum(increase(postern_validations_total[10m]))')
echo "increase(postern_validations_total[10m]): $increase"
[ "$resets" = 0 ]
# Prometheus extrapolates to the edges of its range and misses what a series had when it first appeared.
node -e "const n = Number('$increase'); if (!(n > 250 && n < 900)) process.exit(1)"
echo "== passed"
