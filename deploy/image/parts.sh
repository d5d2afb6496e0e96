#!/bin/sh
# Copies a bundle into an installation: parts.sh <source dist> <target dist>. The source may hold parts of older builds,
# which stay there. In the target, a program may still run from the parts of the installation before: they stay for
# seven days from now.
set -eu
mkdir -p "$2"
from=$(cd "$1" && pwd)
cd "$2"
if [ -f .parts ]; then while read -r part; do touch -c "$part"; done <.parts; fi
# The list names main.js last, so a program that starts meanwhile finds all that it imports.
while read -r part; do
  cp "$from/$part" "$part.tmp"
  mv "$part.tmp" "$part"
done <"$from/.parts"
cp "$from/.parts" .parts
find . -name '*.js' -mtime +6 -delete
