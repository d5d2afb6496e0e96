#!/bin/sh
# Builds what an installation consists of: build.sh <source folder> <target folder>. The Dockerfile runs it, and so does
# try.sh, in a clean folder. The source folder gets node_modules, packages/server/dist and packages/web/dist.
set -eu
src=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)

cd "$src"
node start.cjs build --if-stale

cp package.json package-lock.json .npmrc LICENSE config.example.yaml "$out/"
for part in server sync-sdk web e2e; do
  mkdir -p "$out/packages/$part"
  cp "packages/$part/package.json" "$out/packages/$part/"
done
cd "$out"
npm ci --omit=dev --no-audit --no-fund --loglevel=error --workspace @rollcall/server --workspace @rollcall/sync-sdk

cp -R "$src/packages/server/bin" "$src/packages/server/src" packages/server/
sh "$src/deploy/image/parts.sh" "$src/packages/server/dist" packages/server/dist
cp -R "$src/packages/sync-sdk/src" "$src/packages/sync-sdk/README.md" packages/sync-sdk/
# The client library for the plugin of the game server, which runs elsewhere and on an older Node.
(cd "$src" && PATH="$src/node_modules/.bin:$PATH" node packages/sync-sdk/build.ts "$out/sdk/rollcall-sync-sdk.tgz")
cp -R "$src/packages/web/dist" packages/web/
if [ -d "$src/icons" ]; then cp -R "$src/icons" .; fi
rm -rf packages/server/src/testkit packages/e2e
find packages -name '*.test.ts' -delete
# npm keeps it because a package names it as an optional peer, which only its types need: 30 MB.
rm -rf node_modules/typescript node_modules/@typescript node_modules/.bin/tsc
# Where the system's Node is new enough, the packaged one is 100 MB for nothing.
if node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)'; then rm -rf node_modules/node-linux-* node_modules/.bin/node; fi
