/**
 * `node sbom.ts APP SYSTEM KERNEL_PACKAGES NAME VERSION`: what the image is made of, as CycloneDX 1.5 on standard output: Debian's
 * packages as dpkg has them, those that were unpacked alone, npm's as they are installed, and npm's that are built into the apps. No
 * date and no number of its own in it: the same image has the same list. (`npm sbom` has both, and leaves out what only a workspace
 * needs.)
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appPackages, type Lock, workboxParts } from './app-packages.ts'

const [app = '', system = '', kernelPackages = '', name = '', version = ''] = process.argv.slice(2)

interface Component {
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes?: { alg: string; content: string }[]
  licenses?: { expression: string }[]
}

function component(purl: string, name: string, version: string): Component {
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

/** npm's own list of what it installed, and of what the apps were built from; digests and all. */
function npmPackages(): Component[] {
  const { packages } = lockFile('node_modules/.package-lock.json')
  const built = appPackages(lockFile('package-lock.json').packages, workboxParts(app))
  return [...Object.entries(packages), ...Object.entries(built)]
    .filter(([path, { link, version }]) => path.includes('node_modules/') && !link && version !== undefined)
    .map(([path, { version = '', integrity, license }]) => {
      const name = path.split('node_modules/').at(-1) ?? ''
      const [alg, digest = ''] = integrity?.split('-') ?? []
      return {
        ...component(`pkg:npm/${name.replace('@', '%40')}@${version}`, name, version),
        ...(alg === 'sha512' && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
        }),
        ...(license !== undefined && { licenses: [{ expression: license }] }),
      }
    })
}

function lockFile(path: string): { packages: Lock } {
  return JSON.parse(readFileSync(join(app, path), 'utf8'))
}

function debianPackages(): Component[] {
  return readFileSync(join(system, 'var/lib/dpkg/status'), 'utf8')
    .split('\n\n')
    .filter((stanza) => /^Status: install ok/m.test(stanza))
    .map((stanza) => {
      const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(stanza)?.[1] ?? ''
      return debian(field('Package'), field('Version'), field('Architecture'))
    })
}

/** Lines of name, version, SHA-256 of the .deb. */
function unpackedPackages(): Component[] {
  return readFileSync(kernelPackages, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', sha256 = ''] = line.split(' ')
      return { ...debian(name, version, 'arm64'), hashes: [{ alg: 'SHA-256', content: sha256 }] }
    })
}

function debian(name: string, version: string, arch: string): Component {
  return component(`pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=trixie`, name, version)
}

const components = [...debianPackages(), ...unpackedPackages(), ...npmPackages()]
  .sort((a, b) => (a.purl < b.purl ? -1 : 1))
  .filter(({ purl }, i, all) => purl !== all[i - 1]?.purl)
const metadata = { component: { type: 'firmware', 'bom-ref': name, name, version } }
console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 1))
