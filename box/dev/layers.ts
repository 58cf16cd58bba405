/**
 * `node box/dev/layers.ts`, a step of `npm run check`: which part of the tree may import which. The layers of box/src are the
 * table under "Layers" in ARCHITECTURE.md; REALMS below is the rule for everything else. An import of a type counts as well:
 * it says what a file has to know. `figures.ts` beside it counts.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const BOX = 'box/src/'

/** The text of each file by its path from the root. */
export type Tree = ReadonlyMap<string, string>

export interface Import {
  file: string
  imported: string
  /** Gone when Node has stripped the types. */
  typeOnly: boolean
}

/** The rule for the imports of a folder, packages aside. Tests and what builds an app may import anything. */
export const REALMS: Record<string, readonly string[]> = {
  'proto/': ['proto/'],
  'scanner-pwa/src/': ['scanner-pwa/', 'proto/'],
  'wallet-pwa/src/': ['wallet-pwa/', 'proto/'],
  'dashboard/src/': ['dashboard/', 'proto/'],
  'box/src/': ['box/src/', 'proto/', 'box/migrations/', 'box/package.json', 'box/verify-export.ts'],
  'box/verify-export.ts': [],
}

const TEST = /\.test\.tsx?$/

/** Every import of one file of ours by another, tests aside. */
export function importsIn(tree: Tree): Import[] {
  return [...tree].flatMap(([file, text]) =>
    TEST.test(file)
      ? []
      : importsOf(text).map(({ path, typeOnly }) => ({ file, imported: resolve(file, path), typeOnly })),
  )
}

/** `import`, `export ... from`, `import()`, and the script of a worker, as biome formats them. */
function importsOf(text: string): { path: string; typeOnly: boolean }[] {
  const found = text.matchAll(
    /^(?:import|export)\b( type\b)?(?:[^'"`;]*? from)? '([^']+)'|\bimport\('([^']+)'\)(\.\w)?|new URL\('([^']+\.ts)', import\.meta\.url\)/gm,
  )
  return [...found]
    .map(([, type, from, called, member, worker]) => ({
      path: from ?? called ?? worker ?? '',
      typeOnly: type !== undefined || member !== undefined,
    }))
    .filter(({ path }) => path.startsWith('.') || path.startsWith('@gatehouse/'))
}

function resolve(file: string, path: string): string {
  return path.startsWith('@gatehouse/') ? path.slice('@gatehouse/'.length) : normalize(join(dirname(file), path))
}

/**
 * The layers of box/src, the lowest first, each with its folders and files: the names in backquotes in the second column of
 * the table under the heading "Layers".
 */
export function readLayers(architecture: string): string[][] {
  const section = architecture.split(/^## /m).find((text) => text.startsWith('Layers\n'))
  const layers = [...(section ?? '').matchAll(/^\| \d+ \|([^|]*)\|/gm)].map(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')),
  )
  if (layers.length === 0) throw new Error('ARCHITECTURE.md has no table of layers under "## Layers".')
  return layers
}

/** A sentence for each import that breaks a rule. */
export function problemsOf(tree: Tree, layers: string[][]): string[] {
  const imports = importsIn(tree)
  return [
    ...unplaced(tree, layers),
    ...imports.flatMap((each) => outOfRealm(each) ?? upward(each, layers) ?? []),
    ...circlesOf(imports).map(
      (circle) => `${circle.join(' → ')}: a circle of imports. Move what two of them need to a third.`,
    ),
  ]
}

/** The folder of a file of box/src, or the file itself at its root. */
export function partOf(file: string): string {
  return file.slice(BOX.length).split('/')[0] ?? ''
}

function unplaced(tree: Tree, layers: string[][]): string[] {
  const parts = new Set([...tree.keys()].filter((file) => file.startsWith(BOX) && !TEST.test(file)).map(partOf))
  const placed = layers.flat()
  const twice = placed.filter((part, index) => placed.indexOf(part) !== index)
  return [
    ...[...parts]
      .filter((part) => !placed.includes(part))
      .map((part) => `${BOX}${part} is in no layer of ARCHITECTURE.md.`),
    ...placed
      .filter((part) => !parts.has(part))
      .map((part) => `${BOX}${part} has a layer in ARCHITECTURE.md and is not there.`),
    ...twice.map((part) => `${BOX}${part} has two layers in ARCHITECTURE.md.`),
  ]
}

function outOfRealm({ file, imported }: Import): string | undefined {
  const realm = Object.keys(REALMS).find((folder) => file.startsWith(folder))
  if (realm === undefined || REALMS[realm]?.some((allowed) => imported.startsWith(allowed))) return undefined
  const allowed = REALMS[realm]?.join(', ') || 'packages of Node'
  return `${file} imports ${imported}: ${realm} imports only ${allowed}.`
}

function upward({ file, imported }: Import, layers: string[][]): string | undefined {
  if (!file.startsWith(BOX) || !imported.startsWith(BOX)) return undefined
  const [from, to] = [partOf(file), partOf(imported)]
  const [above, below] = [from, to].map((part) => layers.findIndex((layer) => layer.includes(part))) as [number, number]
  if (from === to || below < above || above === -1 || below === -1) return undefined
  const rule =
    below === above
      ? `layer ${above + 1} has both, and folders of one layer do not import each other`
      : `${from} is of layer ${above + 1}, ${to} of layer ${below + 1}, and a folder imports only from lower layers`
  return `${file} imports ${imported}: ${rule}.`
}

/** One circle of files for each knot of those that import each other while they load. */
export function circlesOf(imports: readonly Import[]): string[][] {
  const edges = imports.filter(({ typeOnly }) => !typeOnly).map(({ file, imported }) => [file, imported] as const)
  return knotsOf(edges).map((knot) => shortestCircle(knot, edges))
}

/** Sets of nodes, each of which leads to every other of its set (Tarjan's strongly connected components); larger than one. */
export function knotsOf(edges: readonly (readonly [string, string])[]): string[][] {
  const next = Map.groupBy(edges, ([from]) => from)
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const path: string[] = []
  const knots: string[][] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    path.push(node)
    let lowest = order.get(node) ?? 0
    for (const [, to] of next.get(node) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to))
      else if (path.includes(to)) lowest = Math.min(lowest, order.get(to) ?? 0)
    }
    low.set(node, lowest)
    if (lowest === order.get(node)) {
      const knot = path.splice(path.indexOf(node))
      if (knot.length > 1) knots.push(knot)
    }
    return lowest
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return knots
}

function shortestCircle(knot: string[], edges: readonly (readonly [string, string])[]): string[] {
  const start = [...knot].sort()[0] ?? ''
  const inside = edges.filter(([from, to]) => knot.includes(from) && knot.includes(to))
  let ways = [[start]]
  for (const seen = new Set<string>(); ; ) {
    ways = ways.flatMap((way) =>
      inside
        .filter(([from, to]) => from === way.at(-1) && !seen.has(to))
        .map(([, to]) => {
          seen.add(to)
          return [...way, to]
        }),
    )
    const closed = ways.find((way) => way.at(-1) === start)
    if (closed) return closed
  }
}

/** The files that git tracks or would add, so that nothing that a build leaves behind is read. */
export function readTree(root: string): Tree {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.ts', '*.tsx']
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const present = names.filter((name) => existsSync(join(root, name)))
  return new Map(present.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

if (import.meta.main) {
  const layers = readLayers(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))
  const problems = problemsOf(readTree(ROOT), layers)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
