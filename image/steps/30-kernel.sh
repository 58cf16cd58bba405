# Unpacks kernel, firmware and boot loader without configuring them: that would take minutes under emulation, and differ
# from one build to the next.
kernel_packages=(linux-image-arm64 raspi-firmware firmware-brcm80211 wireless-regdb u-boot-rpi busybox-static)
kernel_debs=$cache/kernel-debs
kernel_root=$work/kernel
mkdir -p "$kernel_debs"

# The metapackage's own dependency is the kernel.
kernel_image=$(of_debian apt-cache depends linux-image-arm64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -1)
[ -n "$kernel_image" ] || die "Debian $suite names no kernel for arm64: look at $mirror."
packages_now=$(of_debian apt-cache show --no-all-versions "$kernel_image" "${kernel_packages[@]:1}" | sed -n 's/^\(Package\|Version\|SHA256\): //p')
(cd "$kernel_debs" && of_debian apt-get download -qq "$kernel_image" "${kernel_packages[@]:1}")
printf '%s\n' "$packages_now" | paste -d ' ' - - - >"$work/kernel-packages"

made_from=$(printf '%s' "$packages_now" | cat - "$image/steps/30-kernel.sh" "$image/initramfs/"* | sha256sum | cut -c1-16)
if [ "$(cat "$kernel_root/.made-from" 2>/dev/null)" != "$made_from" ]; then
  rm -rf "$kernel_root" "$work/busybox"
  mkdir -p "$kernel_root" "$work/busybox"
  while read -r name version_of _; do
    file=$(ls "$kernel_debs/${name}_${version_of//:/%3a}"_*.deb)
    case $name in
      busybox-static)
        dpkg-deb -x "$file" "$work/busybox"
        mkdir -p "$kernel_root/usr/share/doc/busybox-static"
        cp "$work/busybox/usr/share/doc/busybox-static/copyright" "$kernel_root/usr/share/doc/busybox-static/"
        ;;
      *) dpkg-deb -x "$file" "$kernel_root" ;;
    esac
  done <"$work/kernel-packages"
  kernel_release=$(basename "$kernel_root"/usr/lib/modules/*)
  in_tools depmod -b "$kernel_root/usr" "$kernel_release"
  in_tools "$image/initramfs/make.sh" "$kernel_root" "$kernel_release" "$(ls "$work"/busybox/{,usr/}bin/busybox 2>/dev/null | head -1)" "$kernel_root/boot/initrd.img"
  echo "$made_from" >"$kernel_root/.made-from"
fi
kernel_release=$(basename "$kernel_root"/usr/lib/modules/*)
