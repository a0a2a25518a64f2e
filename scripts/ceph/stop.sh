#!/usr/bin/env bash
# Ends exactly the processes that start.sh recorded in the given directory, and removes the directory.
# Safe to repeat; a directory that is gone already is success.
set -euo pipefail

dir=${1:?usage: stop.sh <directory that start.sh printed as CEPH_DIR>}
[ -e "$dir/ceph.conf" ] || exit 0

# A recorded number may belong to another process by now: ours carries the directory in its command line.
ours() { tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null | grep -qF -- "$dir/ceph.conf"; }

# The gateway first, the monitor last. KILL, because nothing here outlives the test and a clean exit takes 15 s.
if [ -e "$dir/pids" ]; then
  tac "$dir/pids" | while read -r pid _; do
    ours "$pid" && kill -KILL "$pid"
    while ours "$pid"; do sleep 0.05; done
  done
fi
rm -rf "$dir"
