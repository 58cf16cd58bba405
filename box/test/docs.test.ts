/** The pages find each other: no dead link, no page that nothing leads to, no folder that ARCHITECTURE leaves out. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = [
  '*.md',
  '{box,proto}/*.md',
  'box/{demo,docs,src,bench,simulate,test}/**/*.md',
  'proto/!(node_modules)/**/*.md',
]
const pages = globSync(PAGES, { cwd: ROOT }).sort()

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')
/** What is in a code block or between backticks is no link. */
const proseOf = (page: string) =>
  read(page)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]+`/g, 'x')

/** Where a page's links lead within the project: the path from its root, and the heading. */
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

  it('is all to be reached from the README', () => {
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

  it('names every folder of the box in ARCHITECTURE, and none that is not there', () => {
    const table = [...read('ARCHITECTURE.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path)
    for (const path of table) assert.ok(existsSync(join(ROOT, path)), path)
    const folders = ['box', 'box/src'].flatMap((parent) =>
      readdirSync(join(ROOT, parent))
        .map((name) => `${parent}/${name}`)
        .filter((path) => statSync(join(ROOT, path)).isDirectory()),
    )
    const known = new Set([...table, 'box/src/', 'box/bin/', 'box/node_modules/'])
    assert.deepEqual(
      folders.map((folder) => `${folder}/`).filter((folder) => !known.has(folder)),
      [],
    )
  })
})
