# Makes the card's image: firmware and boot loader on FAT, two slots, data. Made from files, without loop devices or mounts.
parts=$work/parts
rm -rf "$parts"
mkdir -p "$parts/boot"
slot_mb=900 boot_mb=128 data_mb=128

# --- the partition that a laptop can read
# With gpu_mem=16 (config.txt) the boards load only the small firmware, the files with cd in their names.
cp "$kernel_root"/usr/lib/raspi-firmware/{bootcode.bin,start{,4}.elf,fixup{,4}.dat,start{_,4}cd.elf,fixup{_,4}cd.dat} "$parts/boot/"
cp "$kernel_root"/usr/lib/linux-image-*/broadcom/bcm2{837,711}-rpi-*.dtb "$parts/boot/"
cp "$kernel_root/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$parts/boot/u-boot.bin"
cp "$image/boot/config.txt" "$parts/boot/"
[ -e "$image/boot/gatehouse.toml" ] && cp "$image/boot/gatehouse.toml" "$image/boot/README.txt" "$parts/boot/"
in_tools mkimage -q -A arm64 -T script -C none -n gatehouse -d "$image/boot/boot.cmd" "$parts/boot/boot.scr" >/dev/null
{ printf 'ORDER=A B\nA_LEFT=3\nB_LEFT=3\n' && yes '' | head -c 512; } 2>/dev/null | head -c 512 >"$parts/boot/ab.env" || true
find "$parts/boot" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

# A small file system that will grow: blocks of 4 kB, and a journal for its final size.
ext4() { # ext4 FILE MEGABYTES UUID LABEL [FOLDER]
  rm -f "$1"
  truncate -s "${2}M" "$1"
  in_tools mke2fs -q -t ext4 -F -b 4096 -J size=16 -U "$3" -L "$4" -E "hash_seed=$3,lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0" -m 0 ${5:+-d "$5"} "$1"
}
ext4 "$parts/rootfs.ext4" "$slot_mb" 6a7e0001-0000-4000-8000-000000000001 slot "$system"
ext4 "$parts/data.ext4" "$data_mb" 6a7e0001-0000-4000-8000-000000000004 gatehouse-data
# The second slot gets its first system from an update. Its first kilobytes are empty, so the boot loader skips it.
cat >"$parts/genimage.cfg" <<CFG
image boot.vfat {
  vfat { extraargs = "-i 6a7e0001 -n GATEHOUSE --invariant" files = { $(cd "$parts/boot" && ls | sort | sed 's,.*,"boot/&",' | paste -sd,) } }
  size = ${boot_mb}M
}
image card.img {
  hdimage { partition-table-type = "mbr" disk-signature = 0x$disk_id align = 4M }
  partition boot { partition-type = 0x0c bootable = "true" image = "boot.vfat" }
  partition slot-a { partition-type = 0x83 image = "rootfs.ext4" }
  partition slot-b { partition-type = 0x83 size = ${slot_mb}M }
  partition data { partition-type = 0x83 image = "data.ext4" }
}
CFG
in_tools sh -ec 'rm -rf "$1/gtmp"; genimage --loglevel 1 --config "$1/genimage.cfg" --rootpath "$1/boot" --inputpath "$1" --outputpath "$1" --tmppath "$1/gtmp"; rm -rf "$1/gtmp"' sh "$parts" 2>"$work/genimage.log" || { cat "$work/genimage.log" >&2; die "The card could not be put together."; }
