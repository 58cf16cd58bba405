# Writes the files of a release: image, block map, signature, list of contents, and the same system as an update.
name=gatehouse-$version-arm64
rm -f "$out/$name".* "$out/SHA256SUMS"*
in_tools bmaptool --quiet create -o "$out/$name.img.bmap" "$parts/card.img"
zstd -q -T0 -12 -f -o "$out/$name.img.zst" "$parts/card.img"

# --- update, for RAUC: the slot that is on the card
bundle=$work/bundle
rm -rf "$bundle"
mkdir -p "$bundle"
ln "$parts/rootfs.ext4" "$bundle/rootfs.ext4" 2>/dev/null || cp --sparse=always "$parts/rootfs.ext4" "$bundle/rootfs.ext4"
cat >"$bundle/manifest.raucm" <<MANIFEST
[update]
compatible=gatehouse-arm64
version=$version
build=$SOURCE_DATE_EPOCH

[bundle]
format=verity

[image.rootfs]
filename=rootfs.ext4
MANIFEST
in_tools rauc --cert="$keys/updates.crt" --key="$keys/updates.key" --mksquashfs-args="-comp zstd -Xcompression-level 12" bundle "$bundle" "$out/$name.update" >/dev/null 2>"$work/rauc.log" || { cat "$work/rauc.log" >&2; die "The update could not be made."; }

# --- list of contents
{
  echo "gatehouse $version, source $(git -C "$repo" rev-parse HEAD 2>/dev/null || echo unknown), SOURCE_DATE_EPOCH $SOURCE_DATE_EPOCH"
  echo "sources $sources"
  echo
  echo "# Debian packages"
  dpkg-query --admindir="$system/var/lib/dpkg" -W -f='${Package} ${Version} ${Architecture}\n'
  echo
  echo "# Debian packages, unpacked alone"
  cat "$work/kernel-packages"
  echo
  echo "# npm packages, with digests: $name.cdx.json"
  echo "node $node_version"
} >"$out/$name.contents.txt"
node "$image/steps/sbom.ts" "$app" "$system" "$work/kernel-packages" "$name" "$version" >"$out/$name.cdx.json"
(cd "$out" && sha256sum "$name".* >SHA256SUMS)
in_tools minisign -S -W -s "$keys/image.key" -m "$out/SHA256SUMS" -t "gatehouse $version" >/dev/null </dev/null
cp "$keys/image.pub" "$out/gatehouse-image.pub"
say "$(du -h --apparent-size "$out/$name.img.zst" | cut -f1) $out/$name.img.zst"
