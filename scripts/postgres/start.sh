#!/usr/bin/env bash
# Starts Debian's PostgreSQL for tests: loopback only, no systemd, no root, data in a temporary directory.
# Prints the settings of a client as shell exports:
#
#   eval "$(scripts/postgres/start.sh)"      # add --install to fetch a missing package by apt-get
#   … use $TEST_DATABASE_URL …
#   scripts/postgres/stop.sh "$POSTGRES_DIR"
#
# Exits 3, with a sentence, when PostgreSQL is absent and can't be installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

newest() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

install() {
  local as_root=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then sudo -n true 2>/dev/null || return 1; as_root=(sudo -n); fi
  # Without a cluster of the system's: ours is in a temporary directory, and nothing is to listen on 5432.
  local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
    -o Dpkg::Options::=--force-confold)
  "${as_root[@]}" mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] ||
    echo "create_main_cluster = false" | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
  # The package lists of a fresh container are empty, so a first failure is expected there.
  "${get[@]}" postgresql >&2 || { "${as_root[@]}" apt-get update -q >&2 && "${get[@]}" postgresql >&2; }
}

bin=$(newest)
if [ -z "$bin" ] && [ "${1:-}" = --install ]; then install || true; bin=$(newest); fi
[ -n "$bin" ] || { echo "postgres: not installed, and this machine can't install it" >&2; exit 3; }

# Below 32768, where the kernel takes ports for outgoing connections from: those can't steal one between here and bind.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    taken "$port" || { echo "$port"; return; }
  done
}

# PostgreSQL refuses to run as root.
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)

dir=$(mktemp -d "${TMPDIR:-/tmp}/filedrive-postgres.XXXXXX")
[ ${#as_user[@]} -eq 0 ] || chown nobody:nogroup "$dir"
give_up() {
  echo "postgres: did not start; the end of its log:" >&2
  tail -n 20 "$dir"/*.log >&2 || true
  "$here/stop.sh" "$dir"
  exit 1
}
trap give_up ERR INT TERM

cd /
in_dir() { "${as_user[@]}" env LC_ALL=C "$@"; }
in_dir "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$dir/initdb.log" 2>&1

# Another program may take the port in between: then another port.
for _ in 1 2 3 4 5; do
  port=$(free_port)
  if in_dir "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/server.log" -w -t 60 -o "-p $port -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c max_connections=300 -c fsync=off -c synchronous_commit=off -c full_page_writes=off" \
    start >"$dir/pg_ctl.log" 2>&1 </dev/null; then
    trap - ERR INT TERM
    echo "postgres: $("$bin/postgres" --version) on 127.0.0.1:$port, data in $dir" >&2
    echo "export POSTGRES_DIR='$dir'"
    echo "export TEST_DATABASE_URL='postgres://postgres@127.0.0.1:$port/postgres'"
    exit 0
  fi
done
cp "$dir/data/server.log" "$dir/" 2>/dev/null || true
give_up
