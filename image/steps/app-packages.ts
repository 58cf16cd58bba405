/**
 * The packages of which the apps are built, from npm's lock file: the dependencies of the apps' workspaces. The image holds the built apps and
 * not these packages.
 */

/** One entry of `packages` in a lock file, with the fields that are used here. */
export interface Locked {
  version?: string
  integrity?: string
  license?: string
  /** A workspace, which has an entry of its own by the name `resolved`. */
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
export type Lock = Record<string, Locked>

const APPS = ['scanner-pwa', 'wallet-pwa', 'dashboard']

/**
 * The entries of the lock file, by path, of the packages in the built apps, without the workspaces.
 * @throws if a package is not in the lock file, because an incomplete list is worse than none
 */
export function appPackages(lock: Lock): Lock {
  const found: Lock = {}
  const seen = new Set<string>()
  const visit = (path: string) => {
    const entry = lock[path]
    if (entry === undefined) throw new Error(`${path} is not in package-lock.json.`)
    if (seen.has(path)) return
    seen.add(path)
    if (path.includes('node_modules/')) found[path] = entry
    for (const name of Object.keys(entry.dependencies ?? {})) visit(installed(lock, path, name))
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const optional = nearest(lock, path, name)
      if (optional !== undefined) visit(optional)
    }
  }
  for (const app of APPS) visit(app)
  return found
}

function installed(lock: Lock, from: string, name: string): string {
  const path = nearest(lock, from, name)
  if (path === undefined) throw new Error(`${name}, which ${from} needs, is not in package-lock.json.`)
  return path
}

/** The path at which Node finds a package: in the folder of the package that needs it, or in the nearest folder above. */
function nearest(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`
    const entry = lock[path]
    if (entry !== undefined) return entry.link ? entry.resolved : path
    if (folder === '') return undefined
  }
}
