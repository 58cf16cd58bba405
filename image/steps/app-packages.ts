/**
 * What npm's lock file says of the apps' scripts. The image holds them built, so that no folder of packages names what they are made of:
 * what their workspaces depend on, and the parts of Workbox that run in their service workers.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One entry of `packages` in a lock file, as far as it matters here. */
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
 * The entries of the lock file, by their paths, that went into the built apps; workspaces are left out.
 * @param workers the names of the parts of Workbox, see `workboxParts`
 * @throws when a package is not in the lock file: a list that leaves something out is worse than none
 */
export function appPackages(lock: Lock, workers: string[]): Lock {
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
  for (const name of workers) visit(installed(lock, '', name))
  return found
}

/** What the service workers below this folder say they are made of: each part of Workbox leaves its name, `workbox:core:7.4.0`. */
export function workboxParts(folder: string): string[] {
  const scripts = globSync(`{${APPS.join(',')}}/dist/*.js`, { cwd: folder }).map((path) =>
    readFileSync(join(folder, path), 'utf8'),
  )
  const parts = scripts.flatMap((text) =>
    [...text.matchAll(/\bworkbox:([a-z-]+):\d/g)].map(([, part]) => `workbox-${part}`),
  )
  if (parts.length === 0) throw new Error(`No part of Workbox is in the service workers of ${folder}.`)
  return [...new Set(parts)].sort()
}

function installed(lock: Lock, from: string, name: string): string {
  const path = nearest(lock, from, name)
  if (path === undefined)
    throw new Error(`${name}, which ${from || 'a service worker'} needs, is not in package-lock.json.`)
  return path
}

/** Where Node would find it: in the package's own folder, and then in each folder above. */
function nearest(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`
    const entry = lock[path]
    if (entry !== undefined) return entry.link ? entry.resolved : path
    if (folder === '') return undefined
  }
}
