#!/usr/bin/env bash
# Installs what start.sh needs from Debian's packages; does nothing when it is there already.
# Exits 3, with a sentence, when it is absent and this machine can't install it.
set -euo pipefail

packages=(radosgw ceph-mon ceph-osd ceph-common)
programs=(radosgw radosgw-admin ceph-mon ceph-osd ceph monmaptool)

missing=()
for program in "${programs[@]}"; do
  command -v "$program" >/dev/null || missing+=("$program")
done
[ ${#missing[@]} -eq 0 ] && exit 0

cannot() {
  echo "ceph: ${missing[*]} not installed, and $1. Install ${packages[*]} to test against a real S3 engine." >&2
  exit 3
}

command -v apt-get >/dev/null || cannot "there is no apt-get here"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null || cannot "installing needs root"
  as_root=(sudo -n)
fi

# Recommended packages would bring ceph-mgr and a web dashboard (hundreds of megabytes) that nothing here uses.
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}" >&2
}
# The package lists of a fresh container are empty, so a first failure is expected there.
install || { "${as_root[@]}" apt-get update -q >&2 && install; } || cannot "apt-get could not install it"
