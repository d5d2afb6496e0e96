#!/bin/sh
# Runs the steps of the Dockerfile and of the systemd unit without a container engine: builds the committed
# tree in a clean folder, makes it read-only, and runs it as another user with one folder to write in.
# It needs root for that user, npm, and a network or a filled npm cache. About a minute.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$place"' EXIT
mkdir "$place/src" "$place/app" "$place/data"
git -C "$root" archive HEAD | tar -x -C "$place/src"
sh "$place/src/deploy/image/build.sh" "$place/src" "$place/app"
echo "installed: $(du -sm "$place/app" | cut -f1) MB"

chmod 755 "$place"
chmod -R a+rX,a-w "$place/app"
chown 10001:10001 "$place/data"
rollcall="setpriv --reuid 10001 --regid 10001 --clear-groups env -i PATH=$PATH HOME=/nonexistent node $place/app/packages/server/bin/rollcall.cjs"
cd "$place/data"
$rollcall init .
sed -i 's/127.0.0.1:8080/127.0.0.1:18080/; s/127.0.0.1:7070/127.0.0.1:17070/; s/localhost:8080/localhost:18080/g' config.yaml
if $rollcall health 2>/dev/null; then echo "health says yes to a program that does not run" >&2; exit 1; fi
$rollcall serve &
server=$!
tries=0
until $rollcall health --ready 2>/dev/null; do
  tries=$((tries + 1))
  if [ $tries -gt 60 ]; then echo "it did not become ready" >&2; exit 1; fi
  sleep 0.5
done
curl -fsS http://127.0.0.1:18080/ -H 'Host: localhost:18080' | grep -q '<div id="root"'
$rollcall backup backup.tar.gz --check-restore
kill -TERM "$server"
wait "$server" || true
echo "built, started, healthy, backed up and stopped"
