/** The documentation's links: none is dead, every page is linked, and ARCHITECTURE names every folder. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = [
  '*.md',
  '{box,image,proto}/*.md',
  'box/{demo,docs,src,bench,simulate,test}/**/*.md',
  'proto/!(node_modules)/**/*.md',
]
const pages = globSync(PAGES, { cwd: ROOT }).sort()

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')
/** Text in a code block or between backticks is not a link. */
const proseOf = (page: string) =>
  read(page)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]+`/g, 'x')

/** A page's links within the project: the path from its root, and the heading. */
function linksOf(page: string): { path: string; heading: string | undefined }[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#')
      return { path: path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path)), heading }
    })
}

/** Headings as links name them. */
function headingsOf(page: string): string[] {
  const titles = [
    ...read(page)
      .replace(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The texts between backticks in the cell that `row` captures, over all rows. */
function namesIn(text: string, row: RegExp): string[] {
  return [...text.matchAll(row)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

/** `6.2.1`, `6.2.2, 6.2.3` and `7.2.1 to 7.2.3`, each by itself. */
function requirementsIn(ids: string): string[] {
  return ids
    .replace(/^\| /, '')
    .split(', ')
    .flatMap((part) => {
      const [, section, from, to = from] = /^(\d\.\d)\.(\d+)(?: to \d\.\d\.(\d+))?$/.exec(part) ?? []
      const count = Number(to) - Number(from) + 1
      return section === undefined ? [] : Array.from({ length: count }, (_, i) => `${section}.${Number(from) + i}`)
    })
}

interface PackageFile {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Every package that a package.json names, with its licence by the lock file, and where it is installed if it is. */
function directDependencies(): Map<string, { licence: string; folder: string }> {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, PackageFile & { license?: string; link?: boolean }>
  }
  const found = new Map<string, { licence: string; folder: string }>()
  for (const path of globSync(['package.json', '*/package.json'], { cwd: ROOT })) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as PackageFile
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const folder = [join(dirname(path), 'node_modules', name), join('node_modules', name)].find((at) => packages[at])
      assert.ok(folder, `${name} of ${path} is not in package-lock.json: run "npm install"`)
      if (!packages[folder]?.link) found.set(name, { licence: packages[folder]?.license ?? '', folder })
    }
  }
  return found
}

describe('the documentation', () => {
  it('has pages', () => assert.ok(pages.includes('README.md') && pages.includes('box/docs/errors.md'), `${pages}`))

  for (const page of pages) {
    it(`of ${page} has no dead link`, () => {
      for (const { path, heading } of linksOf(page)) {
        assert.ok(existsSync(join(ROOT, path)), path)
        if (heading !== undefined) assert.ok(headingsOf(path).includes(heading), `${path}#${heading}`)
      }
    })
  }

  it('is reachable from the README', () => {
    const reached = new Set(['README.md'])
    for (const page of reached) {
      if (!page.endsWith('.md')) continue
      for (const { path } of linksOf(page)) reached.add(path)
    }
    assert.deepEqual(
      pages.filter((page) => !reached.has(page)),
      [],
    )
  })

  it('names only files and folders that exist', () => {
    const ours = /^(box|proto|dashboard|scanner-pwa|wallet-pwa|image|e2e)\/(?!\.)[\w./-]+$/
    const named = pages
      .filter((page) => /^(\w+|box\/docs\/.+)\.md$/.test(page))
      .flatMap((page) => [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => ({ page, name })))
      .filter(({ name }) => ours.test(name))
    assert.ok(named.length > 50)
    for (const { page, name } of named) assert.ok(existsSync(join(ROOT, name)), `${page}: ${name}`)
  })

  it('has a line for each requirement of OWASP ASVS 5.0, chapters V6 to V8, and each test that a line names', () => {
    const security = read('box/docs/security.md')
    const table = security.slice(security.indexOf('## Signing in, against OWASP'), security.indexOf('## Which secrets'))
    const rows = table.split('\n').filter((line) => /^\| (\d|V\d)/.test(line))
    const lines = rows.map((line) => line.split(' | '))
    const named = new Set(lines.flatMap(([ids = '']) => requirementsIn(ids)))
    // Number of requirements in each section.
    const sections = {
      ...{ 6.1: 3, 6.2: 12, 6.3: 8, 6.4: 6, 6.5: 8, 6.6: 4, 6.7: 2, 6.8: 4 },
      ...{ 7.1: 3, 7.2: 4, 7.3: 2, 7.4: 5, 7.5: 3, 7.6: 2, 8.1: 4, 8.2: 4, 8.3: 3, 8.4: 2 },
    }
    const all = Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, i) => `${section}.${i + 1}`),
    )
    assert.deepEqual([...named].sort(), all.sort())
    for (const [ids = '', , held = ''] of lines) {
      for (const [, file = '', titles = ''] of held.matchAll(
        /`([\w/.-]+\.(?:test|e2e)\.ts)`(?:: ((?:"[^"]+"(?:, )?)+))?/g,
      )) {
        const path = file.includes('/') ? file : `box/test/staff/${file}`
        assert.ok(existsSync(join(ROOT, path)), `${ids}: ${path}`)
        const source = read(path)
        for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g))
          assert.ok(source.includes(title), `${ids}: ${path} has no "${title}"`)
      }
    }
  })

  it('runs our commands only as they are installed here: on npm, others own their names', () => {
    const runs = pages.flatMap((page) =>
      [...read(page).matchAll(/npx (.*?)(?:gatehouse|changefeed)\b/g)].map(([all, options]) => ({
        page,
        all,
        options,
      })),
    )
    assert.ok(runs.length > 40)
    for (const { page, all, options } of runs) assert.equal(options, '--no -- ', `${page}: ${all}`)
    // The appliance has them as commands.
    for (const page of pages.filter((page) => !/appliance|image/.test(page))) {
      for (const [block] of read(page).matchAll(/^```sh$.*?^```$/gms)) {
        assert.doesNotMatch(block, /^(?:gatehouse|changefeed)/m, page)
      }
    }
  })

  it('names every folder of the box in ARCHITECTURE, and only those', () => {
    const text = read('ARCHITECTURE.md')
    const layers = namesIn(text, /^\| \d+ \|([^|]*)\|/gm).map((name) => `box/src/${name}`)
    const paths = [...layers, ...namesIn(text, /^\| (`[^|]*`) \|/gm)]
    for (const path of paths) assert.ok(existsSync(join(ROOT, path)), path)
    const folders = ['box', 'box/src'].flatMap((parent) =>
      readdirSync(join(ROOT, parent))
        .map((name) => `${parent}/${name}`)
        .filter((path) => statSync(join(ROOT, path)).isDirectory()),
    )
    const known = new Set([...paths.map((path) => path.replace(/\/$/, '')), 'box/src', 'box/bin', 'box/node_modules'])
    assert.deepEqual(
      folders.filter((folder) => !known.has(folder)),
      [],
    )
  })

  it('says the same everywhere of where the admin token is: in the boot log, and on the appliance in a file on the card', () => {
    const docs = ['authentication', 'errors', 'operations'].map((name) => `box/docs/${name}.md`)
    for (const path of [...docs, 'image/README.md', 'dashboard/src/words/en/words.ts']) {
      for (const name of ['admin-token.txt', 'show_admin_token = true', 'gatehouse.toml']) {
        assert.ok(read(path).includes(name), `${path}: ${name}`)
      }
    }
  })

  it('names one version of Node: the one that package.json asks for', () => {
    const [, wanted] = /^>=(\d+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? assert.fail()
    const named = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...read(page).matchAll(/\bNode(?:\.js)? (\d[\d.]*) or (?:newer|later)/g)].map(([, n]) => [page, n]),
      )
    assert.ok(named.some(([page]) => page === 'README.md') && named.some(([page]) => page === 'CONTRIBUTING.md'))
    for (const [page, version] of named) assert.equal(version, wanted, page)
  })

  it('names every direct dependency with its licence in dependencies.md, and no other', () => {
    const rows = read('box/docs/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^|`]+) \| [^|]+ \| [^|]*\|$/gm)
    const named = Object.fromEntries([...rows].map(([, name = '', licence = '']) => [name, licence.trim()]))
    const direct = directDependencies()
    assert.ok(direct.size > 50)
    assert.deepEqual(named, Object.fromEntries([...direct].map(([name, { licence }]) => [name, licence])))
    for (const [name, { licence, folder }] of direct) {
      const path = join(ROOT, folder, 'package.json')
      // Packages for other platforms are not installed.
      if (!existsSync(path)) continue
      assert.equal(JSON.parse(readFileSync(path, 'utf8')).license, licence, `${name}, as it is installed`)
    }
  })
})
