#!/usr/bin/env bash
# Starts Ceph's S3 gateway (radosgw, with one monitor and one OSD) for tests: loopback only, no systemd, no root,
# data in a temporary directory. Takes seconds. Prints the settings of a client as shell exports:
#
#   eval "$(scripts/ceph/start.sh)"        # add --install to fetch missing packages by apt-get
#   … use $S3_ENDPOINT, $AWS_ACCESS_KEY_ID, $AWS_SECRET_ACCESS_KEY, $S3_REGION …
#   scripts/ceph/stop.sh "$CEPH_DIR"
#
# Settings from the environment, all optional:
#   RGW_PORT, MON_PORT   ports on 127.0.0.1            (free ones)
#   MIN_PART             smallest part but the last, in bytes (5242880 as on AWS; 1 lets tests send tiny parts)
#   CEPH_STORE           memstore: data in RAM, quickest; bluestore: on disk, for gigabytes (memstore)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case ${1:-} in
  --install) "$here/install.sh" ;;
  "") command -v radosgw >/dev/null || { echo "ceph: radosgw is not installed; run start.sh --install" >&2; exit 3; } ;;
  *) echo "usage: start.sh [--install]" >&2; exit 2 ;;
esac

store=${CEPH_STORE:-memstore}
# The OSD takes an unknown name for its default, without a word.
[ "$store" = memstore ] || [ "$store" = bluestore ] || { echo "ceph: no such CEPH_STORE: $store" >&2; exit 2; }

# Below 32768, where the kernel takes ports for outgoing connections from: those can't steal one between here and bind.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    taken "$port" || { echo "$port"; return; }
  done
}

# radosgw starts on a port that another serves, and says nothing.
for given in ${RGW_PORT:-} ${MON_PORT:-}; do
  if taken "$given"; then echo "ceph: port $given is taken" >&2; exit 1; fi
done
rgw_port=${RGW_PORT:-$(free_port)}
mon_port=${MON_PORT:-$(free_port)}
dir=$(mktemp -d "${TMPDIR:-/tmp}/filedrive-ceph.XXXXXX")
conf=$dir/ceph.conf
mkdir -p "$dir"/{mon,osd,rgw,log}

give_up() {
  echo "ceph: did not start; the ends of its logs:" >&2
  tail -n 5 "$dir"/log/* >&2 || true
  "$here/stop.sh" "$dir"
  exit 1
}
trap give_up ERR INT TERM

# Why each setting that is not a path or an address is here:
#   auth_*_required = none        no keyrings to make and hand round; every port is on loopback.
#   ms_mon_client_mode            radosgw's default, `secure`, refuses auth `none` ("get_initial_auth_request returned -13").
#   paxos_propose_interval, _min_wait  the monitor waits a second before each change by default: 12 s of start become 2.
#   osd_pool_default_size = 1, chooseleaf_type = 0   one OSD can never place the usual three copies on three hosts.
#   mon_allow_pool_size_one, mon_warn_on_pool_no_redundancy   … and the monitor must not object to that.
#   osd_pool_default_pg_num, _autoscale_mode, mon_max_pg_per_osd   few placement groups: each costs start time; the autoscaler needs ceph-mgr.
#   mon_data_avail_*              a nearly full disk must not stop a test.
#   osd_max_object_name*_len      room in xattrs for long names on ordinary file systems.
#   osd_class_load_list           radosgw calls object classes that are not all on the default list.
#   admin_socket =                none: a socket's path is limited to 107 bytes, and nothing asks it anything.
#   rgw_gc_*                      bytes of removed objects leave memory at once, not two hours later.
#   rgw_multipart_min_part_size   MIN_PART, above.
cat >"$conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = [v2:127.0.0.1:$mon_port/0]
public_addr = 127.0.0.1
public_network = 127.0.0.0/8
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = $dir
admin_socket =
log_file = $dir/log/\$name.log
mon_cluster_log_file = $dir/log/cluster.log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_max_pg_per_osd = 2000
mon_data_avail_crit = 1
mon_data_avail_warn = 2
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
[mon]
mon_data = $dir/mon
[osd]
osd_data = $dir/osd
osd_objectstore = $store
memstore_device_bytes = 4294967296
bluestore_block_size = 21474836480
osd_max_object_name_len = 256
osd_max_object_namespace_len = 64
osd_class_load_list = *
osd_class_default_list = *
[client.rgw]
rgw_data = $dir/rgw
rgw_frontends = beast endpoint=127.0.0.1:$rgw_port
rgw_thread_pool_size = 32
rgw_multipart_min_part_size = ${MIN_PART:-5242880}
rgw_gc_obj_min_wait = 5
rgw_gc_processor_period = 5
ms_mon_client_mode = crc secure
CONF
export CEPH_CONF=$conf

# A daemon must not hold the pipe of `eval "$(start.sh)"` open, nor die with this shell.
daemon() {
  setsid "$@" -f -c "$conf" >"$dir/log/$1.out" 2>&1 </dev/null &
  echo "$! $1" >>"$dir/pids"
}

fsid=$(sed -n 's/^fsid = //p' "$conf")
osd_uuid=$(cat /proc/sys/kernel/random/uuid)
monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port]" "$dir/monmap" >/dev/null
ceph-mon -c "$conf" --mkfs -i a --monmap "$dir/monmap" --no-mon-config >"$dir/log/mon-mkfs.out" 2>&1
daemon ceph-mon -i a
ceph -c "$conf" --connect-timeout 30 osd new "$osd_uuid" >/dev/null 2>"$dir/log/osd-new.out"
ceph-osd -c "$conf" --mkfs -i 0 --osd-uuid "$osd_uuid" --no-mon-config >"$dir/log/osd-mkfs.out" 2>&1
daemon ceph-osd -i 0
daemon radosgw -n client.rgw

# radosgw listens only once its pools exist, so an open port means that it serves.
for _ in $(seq 600); do
  taken "$rgw_port" && break
  kill -0 "$(awk '$2 == "radosgw" { print $1 }' "$dir/pids")"
  sleep 0.1
done
taken "$rgw_port"

access_key=filedrive
secret_key=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
radosgw-admin -c "$conf" user create --uid filedrive --display-name filedrive \
  --access-key "$access_key" --secret-key "$secret_key" >/dev/null 2>"$dir/log/admin.out"

trap - ERR INT TERM
echo "ceph: S3 on 127.0.0.1:$rgw_port, data in $dir" >&2
cat <<ENV
export CEPH_DIR='$dir'
export S3_ENDPOINT='http://127.0.0.1:$rgw_port'
export S3_REGION='us-east-1'
export AWS_ACCESS_KEY_ID='$access_key'
export AWS_SECRET_ACCESS_KEY='$secret_key'
ENV
