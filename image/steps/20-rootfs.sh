# Makes the root file system of Debian 13 for arm64, without a kernel: packages as they are, without our configuration.
include=$(grep -v '^#' "$image/packages.list" | paste -sd,)
# Its name in the cache depends on the versions of all packages, so that a cached one never lacks a security fix of Debian.
versions=$(of_debian apt-get install -qq --simulate '?essential' apt ${include//,/ } 2>"$work/packages.log" | sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1 \2/p' | sort) ||
  [ -z "$lists_are_fresh" ] || die "Debian $suite has not all that image/packages.list names: $(cat "$work/packages.log")"
key=$({ printf '%s\n' "$suite" "$versions" && cat "$image/packages.list" "$image/steps/20-rootfs.sh"; } | sha256sum | cut -c1-16)
rootfs_tar=$cache/rootfs-$key.tar.zst

if [ ! -e "$rootfs_tar" ] && [ -z "$lists_are_fresh" ]; then
  rootfs_tar=$(find "$cache" -name 'rootfs-*.tar.zst' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d ' ' -f 2-)
  [ -n "$rootfs_tar" ] || die "Debian's packages cannot be fetched, and there is no root file system of an earlier build in $cache."
  say "Taking the root file system of $(date -r "$rootfs_tar" +%F): Debian's packages cannot be fetched."
fi
if [ ! -e "$rootfs_tar" ]; then
  mkdir -p "$cache"
  mmdebstrap --quiet --arch=arm64 --variant=minbase --include="$include" \
    --aptopt='Apt::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/info/*' \
    --customize-hook='rm -f "$1"/etc/ssh/ssh_host_* "$1"/var/log/apt/* "$1"/var/log/*.log "$1"/var/cache/ldconfig/aux-cache' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/etc/machine-id "$1"/var/lib/dbus/machine-id' \
    --customize-hook='rm -f "$1"/etc/resolv.conf "$1"/etc/hostname' \
    "$suite" - \
    "deb $mirror $suite main" "deb $mirror $suite-updates main" "deb $security $suite-security main" |
    zstd -q -T0 -3 -f -o "$rootfs_tar.part"
  mv "$rootfs_tar.part" "$rootfs_tar"
fi
