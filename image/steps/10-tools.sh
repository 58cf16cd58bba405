# Installs Debian 13's tools in a folder: those of Debian 12 are too old to build an image reproducibly, and to emulate the board.
# ssh is used by the tests.
need=(mmdebstrap arch-test zstd openssh-client)
missing=()
for package in "${need[@]}"; do dpkg-query -W "$package" >/dev/null 2>&1 || missing+=("$package"); done
if [ ${#missing[@]} -gt 0 ]; then
  say "Installing ${missing[*]} ..."
  apt-get update -q >/dev/null
  apt-get install -qy --no-install-recommends -o DPkg::Lock::Timeout=400 "${missing[@]}" debian-archive-keyring >/dev/null
fi

packages=apt,qemu-user,qemu-system-arm,qemu-utils,u-boot-qemu,u-boot-tools,ipxe-qemu,genimage,mtools,dosfstools,fdisk,e2fsprogs,zstd,bmap-tools,rauc,minisign,kmod,cpio,xz-utils,squashfs-tools,device-tree-compiler,openssl,ca-certificates,busybox-static
made_from=$(printf '%s\n' "$suite" "$packages" | sha256sum | cut -c1-16)
if [ "$(cat "$tools/.made-from" 2>/dev/null)" != "$made_from" ]; then
  rm -rf "$tools"
  mkdir -p "$tools"
  mmdebstrap --quiet --variant=apt --include="$packages" --format=tar \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    "$suite" - "deb $mirror $suite main" | tar -x -C "$tools" --exclude='./dev/*'
  echo "$made_from" >"$tools/.made-from"
fi

# Registers the tools' emulator with this kernel, which then runs arm64 programs until the machine is restarted. Under this name and
# with the flag F, because mmdebstrap looks for both, and otherwise wants Debian's qemu-user-static.
if ! grep -qs "^flags: .*F" /proc/sys/fs/binfmt_misc/qemu-aarch64; then
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  printf '%s' ":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$tools/usr/bin/qemu-aarch64:F" >/proc/sys/fs/binfmt_misc/register
  arch-test arm64 >/dev/null || die "This machine does not run arm64 programs through qemu: binfmt_misc is not available here."
fi
