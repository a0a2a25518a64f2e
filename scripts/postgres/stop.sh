#!/usr/bin/env bash
# Ends exactly the server that start.sh started in the given directory, and removes the directory.
# Safe to repeat; a directory that is gone already is success.
set -euo pipefail

dir=${1:?usage: stop.sh <directory that start.sh printed as POSTGRES_DIR>}
[ -d "$dir" ] || exit 0

# A recorded number may belong to another process by now: ours carries the directory in its command line.
ours() { tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null | grep -qF -- "$dir/data"; }

if [ -e "$dir/data/postmaster.pid" ]; then
  pid=$(head -n 1 "$dir/data/postmaster.pid")
  ours "$pid" && kill -INT "$pid"
  for _ in $(seq 100); do ours "$pid" || break; sleep 0.1; done
  ! ours "$pid" || kill -KILL "$pid"
fi
rm -rf "$dir"
