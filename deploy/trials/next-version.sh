#!/usr/bin/env bash
# Builds the version that comes after this one: the same code with another version number and one more step of each schema, which
# changes a busy table.
#   deploy/trials/next-version.sh FOLDER
# Needs a built checkout with its node_modules.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
mkdir -p "$folder/node_modules"
tar --exclude=./.git --exclude=./node_modules --exclude=./data -cf - . | tar -xf - -C "$folder"
# Everything but the packages of this repository can be shared.
find "$PWD/node_modules" -mindepth 1 -maxdepth 1 ! -name '@postern' ! -name '.cache' -exec ln -s {} "$folder/node_modules/" \;
cp -a node_modules/@postern "$folder/node_modules/"

cd "$folder"
sed -i "s/^export const VERSION = .*/export const VERSION = '0.2.0-next';/" packages/service/src/version.ts
cat >> packages/service/src/store/schemas.ts << 'TYPESCRIPT'

for (const steps of [postgresMigrations, sqliteMigrations])
  (steps as Migration[]).push({
    number: steps.length + 1,
    name: 'next',
    sql: "ALTER TABLE validation_log ADD COLUMN next_fact TEXT NOT NULL DEFAULT 'none'",
    compatibleFrom: steps.length,
  });
TYPESCRIPT
node scripts/build.mjs > build.log 2>&1 || { cat build.log >&2; exit 1; }
