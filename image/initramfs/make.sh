#!/usr/bin/env bash
# make.sh KERNEL_ROOT RELEASE BUSYBOX OUTPUT: makes the initramfs. It contains every driver through which a card, a
# stick or a disk may be attached, and loads those of present devices: without a list of boards, none can be forgotten.
set -euo pipefail
kernel_root=$1 release=$2 busybox=$3 output=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../steps/lib.sh"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
modules=$kernel_root/usr/lib/modules/$release
mkdir -p "$root"/{bin,sbin,dev,proc,sys,run,new,"lib/modules/$release"}

# The shell and its tools, for the board's processor.
cp "$busybox" "$root/bin/busybox"
ln -s ../bin/busybox "$root/sbin/modprobe"
cp "$here/init" "$root/init"
chmod 755 "$root/init"

# Whole folders of drivers, and what they depend on.
wanted=(
  drivers/mmc drivers/usb/host drivers/usb/core drivers/usb/common drivers/usb/storage drivers/usb/dwc2 drivers/usb/roles
  drivers/phy/broadcom drivers/pci/controller drivers/virtio drivers/block/virtio_blk.ko.xz drivers/scsi/virtio_scsi.ko.xz
  drivers/scsi/sd_mod.ko.xz drivers/scsi/scsi_mod.ko.xz drivers/scsi/scsi_common.ko.xz drivers/regulator drivers/gpio drivers/pinctrl/bcm
  drivers/clk/bcm drivers/dma/bcm2835-dma.ko.xz drivers/mailbox drivers/firmware drivers/soc/bcm drivers/reset drivers/watchdog/bcm2835_wdt.ko.xz
  drivers/pmdomain/bcm drivers/char/hw_random drivers/thermal/broadcom fs/ext4 fs/overlayfs fs/fat fs/nls arch/arm64/crypto lib crypto/crc32c_generic.ko.xz
)
# Drivers that are built into this kernel have no file, and find reports them.
(cd "$modules/kernel" && { find "${wanted[@]}" -name '*.ko*' 2>/dev/null || true; }) | sort -u >"$root/../wanted.$$"
{
  cat "$root/../wanted.$$"
  # One line for each module of modules.dep: itself, a colon, what it needs.
  awk -F: 'NR == FNR { want["kernel/" $0] = 1; next } ($1 in want) { print $2 }' "$root/../wanted.$$" "$modules/modules.dep" |
    tr ' ' '\n' | sed -n 's,^kernel/,,p'
} | sort -u >"$root/../all.$$"
rm "$root/../wanted.$$"
while read -r module; do
  target=$root/lib/modules/$release/kernel/${module%.xz}
  mkdir -p "$(dirname "$target")"
  # Busybox loads no compressed module.
  case $module in
    *.xz) xz -dc "$modules/kernel/$module" >"$target" ;;
    *) cp "$modules/kernel/$module" "$target" ;;
  esac
done <"$root/../all.$$"
rm "$root/../all.$$"
cp "$modules"/modules.{builtin,builtin.modinfo,order} "$root/lib/modules/$release/" 2>/dev/null || true
depmod -b "$root" "$release"
rm -f "$root/lib/modules/$release"/*.bin

# Not the time stamp of the sources: the result is cached and must not depend on our commits.
find "$root" -exec touch -h -d @0 {} +
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet --reproducible -R 0:0 -H newc -o) | zstd -q -15 -T0 >"$output"
