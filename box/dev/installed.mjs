// Decides what `setup.mjs` installs, from what the lock file names and from what is there. It runs under whatever Node the machine
// has, so it is JavaScript.

/** The oldest Node that can install the packages and start the project's own. */
const OLDEST_NODE = 20

/**
 * The reason why the packages cannot run on this machine, with what to do instead; undefined if they can.
 * @param {{platform: string, arch: string, glibc: string | undefined, node: string}} machine `glibc` is its version, undefined for
 *   another C library; `node` the version that runs this, without `v`
 * @returns {string | undefined}
 */
export function whyNotHere({ platform, arch, glibc, node }) {
  if (Number(node.split('.')[0]) < OLDEST_NODE)
    return `This is Node ${node}. Gatehouse needs Node ${OLDEST_NODE} or newer to install its packages: https://nodejs.org`
  if (platform === 'win32')
    return 'Gatehouse does not run on Windows itself. Install WSL ("wsl --install" in PowerShell), open Ubuntu, install Node there, clone the project in its home folder, and run the same command.'
  if (platform !== 'linux' && platform !== 'darwin') return `Gatehouse runs on Linux and macOS. This is ${platform}.`
  if (arch !== 'x64' && arch !== 'arm64')
    return `Gatehouse needs a 64-bit system (x64 or arm64). This one is ${arch}; a Raspberry Pi 3 or newer can run a 64-bit system.`
  if (platform === 'linux' && glibc === undefined)
    return 'This Linux has no glibc (Alpine has musl), which the packages of Node need. Use Debian, Ubuntu or Fedora, or a container of them such as node:24-bookworm.'
  return undefined
}

/**
 * Advice where the installed Node does not start; undefined if it does.
 * @param {{status: number | null, stderr: string | null, error?: Error}} run of `node --version`
 */
export function whyNodeFails({ status, stderr, error }) {
  if (status === 0) return undefined
  const output = `${stderr ?? ''}${error?.message ?? ''}`.trim()
  if (output.includes('libatomic'))
    return 'The installed Node needs the system library libatomic. Install it ("apt-get install libatomic1" on Debian and Ubuntu, "dnf install libatomic" on Fedora), then run the same command again.'
  return `The installed Node does not start on this machine: ${output || `it ended with ${status}`}`
}

/**
 * The packages that this machine needs, by folder, with their versions.
 * @param {Record<string, any>} locked `packages` of package-lock.json
 * @param {{platform: string, arch: string, tools: boolean}} wanted `tools`: also what tests, checks and benches need
 * @returns {Map<string, string>}
 */
export function packagesFor(locked, { platform, arch, tools }) {
  const chosen = Object.entries(locked).filter(
    ([folder, { link, dev, optional, os, cpu, libc }]) =>
      folder.includes('node_modules/') &&
      !link &&
      (tools || !dev) &&
      (os ?? [platform]).includes(platform) &&
      (cpu ?? [arch]).includes(arch) &&
      !(libc ?? ['glibc']).every((name) => name !== 'glibc') &&
      // An optional package that fits every machine belongs to one that may fit none, such as a build in WebAssembly.
      (!optional || os !== undefined || cpu !== undefined),
  )
  return new Map(chosen.map(([folder, { version }]) => [folder, version]))
}

/**
 * The folder of the package that is Node.
 * @param {Record<string, any>} locked `packages` of package-lock.json
 * @param {Map<string, string>} packages of this machine
 */
export function folderOfNode(locked, packages) {
  const folder = [...packages.keys()].find((folder) => locked[folder].bin?.node !== undefined)
  if (folder === undefined) throw new Error('package-lock.json has no Node for this machine.')
  return folder
}

/**
 * Folders of packages that are missing or have another version.
 * @param {Map<string, string>} packages
 * @param {(folder: string) => string | undefined} versionIn
 */
export function differences(packages, versionIn) {
  return [...packages].flatMap(([folder, version]) => (versionIn(folder) === version ? [] : [folder]))
}

/**
 * Whether any package is there that only tests, checks and benches need.
 * @param {Record<string, any>} locked `packages` of package-lock.json
 * @param {(folder: string) => string | undefined} versionIn
 */
export function hasTools(locked, versionIn) {
  return Object.entries(locked).some(([folder, { dev, link }]) => dev && !link && versionIn(folder) !== undefined)
}

/**
 * What the last installation left in node_modules: what it installed, or that it did not end.
 * @typedef {{lock: string, machine: string, tools: boolean}} Installed `lock` is the SHA-256 of package-lock.json
 * @typedef {Installed | {interrupted: true}} Stamp
 */

/**
 * The installation that npm has to do.
 *
 * - `current`: the stamp says that everything is there
 * - `stamp`: every package is there, whoever installed it, and only the stamp is missing or old
 * - `update`: npm changes what differs. If it cannot, for want of a network, it puts everything back
 * - `anew`: npm deletes what is there and installs everything: there is no whole installation that could be lost
 *
 * @param {Stamp | undefined} stamp
 * @param {Installed} wanted
 * @param {{isWhole: boolean, differing: () => number}} found `isWhole`: npm finished an installation; `differing`: packages
 * @returns {'current' | 'stamp' | 'update' | 'anew'}
 */
export function howToInstall(stamp, wanted, { isWhole, differing }) {
  if (!isWhole || (stamp && 'interrupted' in stamp)) return 'anew'
  if (stamp && stamp.machine !== wanted.machine) return 'anew'
  if (stamp?.lock === wanted.lock && (stamp.tools || !wanted.tools)) return 'current'
  return differing() === 0 ? 'stamp' : 'update'
}

/**
 * The arguments of npm. They stand against a person's own settings: NODE_ENV=production, `omit` and `package-lock` in .npmrc.
 * @param {'update' | 'anew'} how
 * @param {{tools: boolean}} wanted
 */
export function npmArguments(how, { tools }) {
  return [
    ...(how === 'anew' ? ['ci'] : ['install', '--no-save', '--package-lock']),
    ...['--include=optional', '--include=peer', tools ? '--include=dev' : '--omit=dev'],
    // No package needs its install script: binaries come inside the packages. npm would otherwise compile better-sqlite3, because
    // it ships a binding.gyp, although it ships the compiled files beside it.
    '--ignore-scripts',
    // The lock file has the digest of each package, so npm's cache is as good as the registry.
    '--prefer-offline',
    // Without a network, npm gives up after seconds and not after minutes.
    ...['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000'],
    ...['--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=error'],
  ]
}
