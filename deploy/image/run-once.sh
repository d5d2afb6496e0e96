#!/bin/sh
# Runs an installation once as user 10001, in an empty folder of that user: run-once.sh <program> <data folder> [port].
# It needs root for that user, and two free ports: the given one (18080) and the next.
set -eu
app=$(cd "$1" && pwd)
port=${3:-18080}
rollcall="setpriv --reuid 10001 --regid 10001 --clear-groups env -i PATH=$PATH HOME=/nonexistent TMPDIR=$2 node $app/packages/server/bin/rollcall.cjs"
cd "$2"

failed() {
  if [ -f log.txt ]; then cat log.txt >&2; fi
  echo "run-once: $1" >&2
  exit 1
}

$rollcall init .
sed -i "s/127.0.0.1:8080/127.0.0.1:$port/; s/127.0.0.1:7070/127.0.0.1:$((port + 1))/; s/localhost:8080/localhost:$port/g" config.yaml
if $rollcall health 2>/dev/null; then failed "health says yes before it runs: is port $((port + 1)) in use?"; fi
$rollcall serve >log.txt 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
tries=0
until $rollcall health --ready >/dev/null 2>&1; do
  tries=$((tries + 1))
  if ! kill -0 "$server" 2>/dev/null; then failed "it ended instead of serving"; fi
  if [ $tries -gt 120 ]; then failed "it did not become ready"; fi
  sleep 0.5
done
# While nobody can sign in, the first page leads to the setup.
curl -fsSL -H 'accept: text/html' "http://localhost:$port/" | grep -q '<div id="root"' || failed "it serves no page"
$rollcall backup backup.tar.gz --check-restore
kill -TERM "$server"
wait "$server" || failed "it ended with an error"
trap - EXIT
echo "started as another user, served a page, backed up, stopped"
