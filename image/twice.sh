#!/usr/bin/env bash
# `npm run image:twice`: builds the image a second time from only the tools and the keys, and compares both byte for byte. Only
# the update differs, because its verity salt and the time of its signature are new each time; its slot is compared.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps/lib.sh"

first=$work/parts
[ -e "$first/card.img" ] || die "There is no image to compare with: npm run image makes one."
second=$(mktemp -d "$work/second-XXXXXX")
trap 'rm -rf "$second"' EXIT
mkdir "$second/cache"
# Debian's packages are fetched again; if they have changed since, the inputs differ, and the lists below name them.
ln -s "$tools" "$second/cache/tools"
GATEHOUSE_IMAGE_KEYS=${GATEHOUSE_IMAGE_KEYS:-$cache/keys} GATEHOUSE_IMAGE_WORK=$second/made GATEHOUSE_IMAGE_CACHE=$second/cache \
  GATEHOUSE_IMAGE_OUT=$second/out bash "$image/build.sh"

name=gatehouse-$version-arm64
diff "$out/$name.contents.txt" "$second/out/$name.contents.txt" || die "The two are not made of the same."
for file in parts/boot.vfat parts/rootfs.ext4 parts/data.ext4 parts/card.img; do
  cmp "$work/$file" "$second/made/$file" || die "$file differs."
done
for file in "$name.img.zst" "$name.img.bmap" "$name.cdx.json"; do
  cmp "$out/$file" "$second/out/$file" || die "$file differs."
done
say "Built twice, and the same: $(sha256sum <"$out/$name.img.zst" | cut -c1-64)"
