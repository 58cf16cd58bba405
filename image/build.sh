#!/usr/bin/env bash
# `npm run image`: builds the image that is written to a card. As root on Debian 12, x86_64; needs Debian's packages and the npm
# registry, no loop device and no vfat driver. The results are in image/.out, reusable parts in image/.cache.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps/lib.sh"

[ "$(id -u)" = 0 ] || die "The image is built as root: it makes files of other users, and runs programs of another machine."
[ "$(uname -m)" = x86_64 ] || die "The image is built on x86_64."
mkdir -p "$work" "$cache" "$out" "$keys"
# Before anything is read, so that an edit during the build is noticed.
sources=$(sources_digest)

for step in "$image"/steps/[0-9]*.sh; do
  started=$SECONDS
  say "$(basename "$step" .sh) ..."
  source "$step"
  say "$(basename "$step" .sh): $((SECONDS - started)) s"
done
