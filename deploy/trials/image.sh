#!/usr/bin/env bash
# Follows the steps of deploy/Dockerfile without Docker, says how large the application layer is and what is in it, and runs
# the result as another user who cannot write there. Needs a built checkout, root and the npm registry.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=deploy/trials/setup.sh
source deploy/trials/setup.sh
app=$work/app
mkdir "$app"

echo "== modules"
git ls-files package.json package-lock.json .npmrc 'packages/*/package.json' | xargs cp --parents -t "$app"
(cd "$app" && npm ci --omit=dev --include-workspace-root=false \
  --workspace=@postern/contract --workspace=@postern/service --workspace=@postern/cli > "$work/npm.log" 2>&1)
echo "installed: $(du -sm "$app" | cut -f1) MB"
node deploy/prune-modules.mjs "$app"

echo "== application"
for package in contract service cli dashboard; do
  mkdir -p "$app/packages/$package"
  cp -r "packages/$package/dist" "$app/packages/$package/"
done
# The image is built without tests and incremental build files; see .dockerignore.
find "$app/packages" \( -name '*.tsbuildinfo' -o -name '*.test.js*' -o -name '*.test.d.ts*' \) -not -path '*/node_modules/*' -delete
cp -r packages/service/lists "$app/packages/service/"
install -D deploy/postern.mjs "$app/deploy/postern.mjs"
size=$(du -sm "$app" | cut -f1)
du -sm "$app"/node_modules/* "$app"/packages/*/dist "$app/packages/service/lists" | sort -rn | head -8
echo "application layer: $size MB"
[ "$size" -lt 200 ]
tools=$(find "$app" -maxdepth 4 -type d -path '*/node_modules/*' \
  \( -name typescript -o -name vite -o -name vitest -o -name rolldown -o -name esbuild -o -name lightningcss -o -name react-dom \))
[ -z "$tools" ] || { echo "build tools: $tools"; exit 1; }
echo "no build tools"

echo "== runs as user 1000, who cannot write there"
install -d -o 1000 -g 1000 -m 0700 "$work/data"
chmod -R a+rX,go-w "$app"
POSTERN_DATA_DIR=$work/data POSTERN_PORT=$port setpriv --reuid=1000 --regid=1000 --clear-groups \
  node "$app/deploy/postern.mjs" serve > "$work/service.log" 2>&1 &
pids+=("$!")
wait_ready "$port"
as_user() {
  POSTERN_DATA_DIR=$work/data setpriv --reuid=1000 --regid=1000 --clear-groups node "$app/deploy/postern.mjs" "$@"
}
as_user project create --id trial > /dev/null
key=$(as_user key create --project trial --type server --json | node -p 'JSON.parse(require("fs").readFileSync(0)).key')
curl -fs "127.0.0.1:$port/validate" -H "Authorization: Bearer $key" -H 'X-Project-Id: trial' -d '{"email":"x@mailinator.com"}' |
  node -p 'JSON.parse(require("fs").readFileSync(0)).recommendation'
curl -fs -o /dev/null "127.0.0.1:$port/dashboard/"
# What a refresh of the feeds compiles comes from the modules, too.
node --input-type=module -e "
  const { compileBundledNetworks } = await import('$app/packages/service/dist/feeds/bundled-networks.js');
  const { compileBundledDomains } = await import('$app/packages/service/dist/feeds/bundled-domains.js');
  console.log('networks', (await compileBundledNetworks()).length, 'bytes; domains', (await compileBundledDomains()).length, 'bytes');"
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9 node --input-type=module -e "
  const { openTracing } = await import('$app/packages/service/dist/tracing.js');
  await (await openTracing({ tracing: { endpoint: 'http://127.0.0.1:9', service: 'trial', ratio: 1 } })).close();
  console.log('OpenTelemetry loads');"

echo "== SBOM"
(cd "$app" && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only 2> /dev/null |
  node -p '`${JSON.parse(require("fs").readFileSync(0)).components.length} components in the lockfile`')
echo "== passed"
