#!/usr/bin/env bash
# Fetches Chromium by apt-get, for the tests of pages that people see; does nothing when it is there already.
# Exits 3, with a sentence, when it is absent and can't be installed.
set -euo pipefail

command -v chromium >/dev/null && exit 0

install() {
  local as_root=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then sudo -n true 2>/dev/null || return 1; as_root=(sudo -n); fi
  local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
    chromium fonts-dejavu-core)
  # The package lists of a fresh container are empty, so a first failure is expected there.
  "${get[@]}" >&2 || { "${as_root[@]}" apt-get update -q >&2 && "${get[@]}" >&2; }
}

install || true
command -v chromium >/dev/null || { echo "browser: chromium is not installed, and this machine can't install it" >&2; exit 3; }
