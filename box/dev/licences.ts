/**
 * Writes `licences.txt` beside each built app: the licence texts of everything that is in its scripts, as their authors ask for. What
 * that is comes from the bundler; no list is kept by hand.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Lists the packages that the bundler used: a file in the build's folder, until `licencesOf` has read it. */
export const BUNDLED = 'bundled.json'

const LICENCE_FILE = /^(un)?licen[cs]e(\.(md|txt))?$|^copying$/i

/** The folder of a package within the path of one of its modules. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/

/** For the app, and for its workers and its service worker, which are built before it: records the folders of the packages whose code is in a script. */
export function recordPackages(): { app: Plugin; worker: Plugin } {
  const folders = new Set<string>()
  const record: NonNullable<Plugin['generateBundle']> = (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      for (const [id, { renderedLength }] of Object.entries(file.modules)) {
        const folder = PACKAGE_FOLDER.exec(id)?.[0] ?? toolOf(id)
        if (folder && renderedLength > 0) folders.add(folder)
      }
    }
  }
  return {
    worker: { name: 'gatehouse:packages-of-worker', generateBundle: record },
    app: {
      name: 'gatehouse:packages',
      generateBundle(options, bundle, isWrite) {
        record.call(this, options, bundle, isWrite)
        this.emitFile({ type: 'asset', fileName: BUNDLED, source: JSON.stringify([...folders]) })
      },
    },
  }
}

/** Helpers that the bundler itself puts into a script. */
function toolOf(id: string): string | undefined {
  const tool = /^\0(vite|rolldown)\//.exec(id)?.[1]
  return tool && join(import.meta.dirname, '../../node_modules', tool)
}

/**
 * @param dist the app's build, with what `recordPackages` wrote
 * @returns the text of `licences.txt`
 * @throws when a package has no licence text: an app without it may not be given to anybody
 */
export function licencesOf(dist: string, root: string): string {
  const folders = JSON.parse(readFileSync(join(dist, BUNDLED), 'utf8')) as string[]
  const packages = folders.map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1))
  const ours = { title: 'gatehouse (Apache-2.0)', text: readFileSync(join(root, 'LICENSE'), 'utf8').trim() }
  return [ours, ...packages].map(({ title, text }) => `${title}\n${'='.repeat(title.length)}\n\n${text}\n`).join('\n\n')
}

/** Code of others that is inside a package, and is under our own licence, whose text comes first. */
const INSIDE: Record<string, string> = { 'zxing-wasm': 'with ZXing-C++, Apache-2.0: the text above' }

function readPackage(folder: string): { title: string; text: string } {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((path) => LICENCE_FILE.test(path))
  if (file === undefined) throw new Error(`${name} ${version} is in an app, and ships no licence text.`)
  const inside = Object.hasOwn(INSIDE, name) ? `, ${INSIDE[name]}` : ''
  return { title: `${name} ${version} (${license}${inside})`, text: readFileSync(join(folder, file), 'utf8').trim() }
}
