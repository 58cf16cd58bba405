/**
 * `node sbom.ts APP SYSTEM KERNEL_PACKAGES NAME VERSION`: prints the list of the image's packages as CycloneDX 1.5. These are Debian's
 * packages that dpkg installed and those that were unpacked without it, with the licences of their files `copyright`; the installed packages
 * of npm; and those that are built into the apps. The list has no date and no serial number, so that the same image has the same list.
 * (`npm sbom` writes both, and leaves out packages that only a workspace needs.)
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appPackages, type Lock } from './app-packages.ts'
import { licencesOf } from './debian-licences.ts'

const [app = '', system = '', kernelPackages = '', name = '', version = ''] = process.argv.slice(2)

interface Component {
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes?: { alg: string; content: string }[]
  /** An SPDX expression for npm's packages, Debian's own names for Debian's. */
  licenses?: { expression: string }[] | { license: { name: string } }[]
}

function component(purl: string, name: string, version: string): Component {
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

/** The packages that npm installed, from its own list, and those of which the apps are built; with digests. */
function npmPackages(): Component[] {
  const { packages } = lockFile('node_modules/.package-lock.json')
  const built = appPackages(lockFile('package-lock.json').packages)
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

/** Debian's packages that were unpacked without dpkg: the file has a line for each, with name, version, and SHA-256 of the .deb. */
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
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=trixie`
  const licenses = licencesOf(name, system).map((name) => ({ license: { name } }))
  return { ...component(purl, name, version), licenses }
}

const components = [...debianPackages(), ...unpackedPackages(), ...npmPackages()]
  .sort((a, b) => (a.purl < b.purl ? -1 : 1))
  .filter(({ purl }, i, all) => purl !== all[i - 1]?.purl)
const metadata = { component: { type: 'firmware', 'bom-ref': name, name, version } }
console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 1))
