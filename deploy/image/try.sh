#!/bin/sh
# Runs the steps of the Dockerfile and of the systemd unit without a container engine: builds the committed
# tree in a clean folder, makes it read-only, and runs it as another user with one folder to write in.
# It needs root for that user, npm, and a network or a filled npm cache. About a minute.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/src" "$place/app" "$place/data"
git -C "$root" archive HEAD | tar -x -C "$place/src"
sh "$place/src/deploy/image/build.sh" "$place/src" "$place/app"
echo "installed: $(du -sm "$place/app" | cut -f1) MB"

chmod 755 "$place"
chmod -R a+rX,a-w "$place/app"
chown 10001:10001 "$place/data"
sh "$root/deploy/image/run-once.sh" "$place/app" "$place/data"
