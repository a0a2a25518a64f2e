#!/usr/bin/env bash
# Fetches PgBouncer by apt-get, for the tests of a database behind a pooler, which start it themselves.
# Exits 3, with a sentence, when it is absent and can't be installed.
set -euo pipefail

present() { command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ]; }

install() {
  local as_root=() policy=/usr/sbin/policy-rc.d
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then sudo -n true 2>/dev/null || return 1; as_root=(sudo -n); fi
  # Debian would start a pooler of the system's at once. This file, for as long as the installation takes, prevents that.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    trap '"${as_root[@]}" rm -f "$policy"' RETURN
    "${as_root[@]}" chmod 755 "$policy"
  fi
  local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends pgbouncer)
  # The package lists of a fresh container are empty, so a first failure is expected there.
  "${get[@]}" >&2 || { "${as_root[@]}" apt-get update -q >&2 && "${get[@]}" >&2; }
}

present || install || true
present || { echo "pgbouncer: not installed, and this machine can't install it" >&2; exit 3; }
