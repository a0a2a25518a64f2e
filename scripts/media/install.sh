#!/usr/bin/env bash
# Fetches, by apt-get, what the tests of media and archives use when it is there: ffmpeg, and four other people's readers of ZIP.
# Exits 3, with a sentence, when some of it is absent and can't be installed.
set -euo pipefail

missing() {
  local program
  for program in ffmpeg ffprobe unzip 7z bsdtar python3; do
    command -v "$program" >/dev/null || { echo "$program"; return; }
  done
}

install() {
  local as_root=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then sudo -n true 2>/dev/null || return 1; as_root=(sudo -n); fi
  local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
    ffmpeg unzip p7zip-full libarchive-tools python3)
  # The package lists of a fresh container are empty, so a first failure is expected there.
  "${get[@]}" >&2 || { "${as_root[@]}" apt-get update -q >&2 && "${get[@]}" >&2; }
}

[ -z "$(missing)" ] || install || true
lacking=$(missing)
[ -z "$lacking" ] || { echo "media: $lacking is not installed, and this machine can't install it" >&2; exit 3; }
