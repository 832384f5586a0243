#!/usr/bin/env bash
# Renders the Helm chart and checks the objects. Helm itself is no Debian package, so a small program runs its template
# language. Needs Node and Debian’s packages golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(mktemp)
trap 'rm -f "$program"' EXIT
GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-buildvcs=false go build -o "$program" deploy/trials/render-chart/main.go
node deploy/trials/chart.mjs "$program"
echo "== passed"
