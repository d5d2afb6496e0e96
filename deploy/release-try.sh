#!/bin/sh
# Tries a release in an empty folder: release-try.sh <tarball> [port]. Runs it as another user where only one folder can be
# written; in a checkout with its packages, databases of the earlier versions are then upgraded by it.
# It needs Linux, root and Node 24. Everything else stays as it is: the mounts are those of one process and end with it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# Called by itself, in a mount namespace of its own.
if [ "${1:-}" = read-only ]; then
  place=$2 port=$3
  if [ "$(readlink /proc/self/ns/mnt)" = "$(readlink "/proc/$PPID/ns/mnt")" ]; then
    echo "release-try: this is no mount namespace of its own: nothing was changed" >&2
    exit 1
  fi
  mount -t tmpfs -o mode=0750,uid=10001,gid=10001 tmpfs "$place/data"
  # `bind` changes this mount alone and not the file system, which others have mounted too.
  findmnt --list --noheadings --output TARGET | sort -u | while read -r mount; do
    case $mount in
    "$place/data" | /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) ;;
    *) mount -o remount,bind,ro "$mount" ;;
    esac
  done
  for folder in "$place" "$place/app" / /var/tmp; do
    if touch "$folder/.rollcall-written" 2>/dev/null; then
      rm "$folder/.rollcall-written"
      echo "release-try: $folder can be written" >&2
      exit 1
    fi
  done
  exec sh "$here/image/run-once.sh" "$place/app" "$place/data" "$port"
fi

tarball=$1
port=${2:-18080}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/app" "$place/data"
tar -xzf "$tarball" -C "$place/app" --strip-components=1
chmod 755 "$place"
# The client library works without the rest, from its own file.
mkdir -p "$place/plugin/node_modules/@rollcall/sync-sdk"
tar -xzf "$place/app/sdk/rollcall-sync-sdk.tgz" -C "$place/plugin/node_modules/@rollcall/sync-sdk" --strip-components=1
(cd "$place/plugin" && node -e 'require("@rollcall/sync-sdk").createSyncClient({ url: "http://127.0.0.1", token: "t", source: "s" })')
unshare --mount --propagation private sh "$0" read-only "$place" "$port"

cd "$here/.."
if [ ! -x node_modules/.bin/vitest ]; then
  echo "upgrades were not tried: this is no checkout with its packages"
  exit 0
fi
ROLLCALL_TEST_PROGRAM="$place/app/packages/server/bin/rollcall.cjs" npx vitest run --project e2e packages/e2e/src/upgrade
echo "databases of the earlier versions were upgraded"
