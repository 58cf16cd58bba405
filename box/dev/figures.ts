/**
 * `node box/dev/figures.ts [folder]`: how large a working tree is, how long its functions are, and which folders of box/src
 * import each other. Figures to compare by; `layers.ts` is what fails.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { importsIn, knotsOf, partOf, readTree } from './layers.ts'

// The parser of TypeScript 5: the compiler of this tree (7) has none for JavaScript yet. openapi-typescript brings it.
const ts = createRequire(join(import.meta.dirname, '../../proto/package.json'))('typescript') as Parser

/** The part of it that is used here. */
interface Parser {
  createSourceFile(name: string, text: string, target: number, parents: boolean, kind: number): SourceFile
  forEachChild(node: SourceNode, visit: (child: SourceNode) => void): void
  isFunctionLike(node: SourceNode): boolean
  ScriptTarget: { ESNext: number }
  ScriptKind: { TS: number; TSX: number }
}
interface SourceNode {
  end: number
  name?: { text?: string }
  body?: object
  parent: SourceNode
  getStart(): number
}
interface SourceFile extends SourceNode {
  getLineAndCharacterOfPosition(position: number): { line: number }
}

const LONG_FUNCTION = 60
const LONG_FILE = 300

const CODE = /\.(tsx?|css|mjs)$/
const TEST = /\.test\.tsx?$|^(box\/test|e2e|image\/test)\/|^proto\/vectors\//
const GENERATED = /^proto\/gen\/|^box\/migrations/
const BESIDE = /\.css$|^box\/(bench|simulate|nemesis)\//

/** Of the working tree at `root`, as lines to print. */
export function figures(root: string): string {
  const product = new Map(
    execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n')
      .filter((file) => CODE.test(file) && !TEST.test(file) && !GENERATED.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  )
  const folders = importsIn(readTree(root)).flatMap(({ file, imported }) =>
    [file, imported].every((path) => /^box\/src\/[^/]+\//.test(path)) && partOf(file) !== partOf(imported)
      ? [[partOf(file), partOf(imported)] as const]
      : [],
  )
  const pairs = [...new Set(folders.map((edge) => edge.join(' ')))].filter(
    (edge, _, edges) => edge < reversed(edge) && edges.includes(reversed(edge)),
  )
  const knot = knotsOf(folders).sort((a, b) => b.length - a.length)[0] ?? []
  const functions = [...product]
    .flatMap(([file, text]) => functionsOf(file, text))
    .filter(({ lines }) => lines > LONG_FUNCTION)
  const files = [...product]
    .map(([file, text]) => ({ lines: linesOf(text), what: file }))
    .filter(({ lines, what }) => lines > LONG_FILE && !what.endsWith('.css'))
  const sizes = (chosen: [string, string][]) =>
    `${chosen.reduce((sum, [, text]) => sum + linesOf(text), 0)} in ${chosen.length} files`
  return [
    `pairs of folders of box/src that import each other: ${pairs.length}`,
    ...pairs.map((pair) => `  ${pair.replace(' ', ' and ')}`),
    `largest knot of folders: ${knot.length}`,
    ...(knot.length > 0 ? [`  ${knot.sort().join(', ')}`] : []),
    `functions over ${LONG_FUNCTION} lines: ${functions.length}`,
    ...longestFirst(functions),
    `files over ${LONG_FILE} lines, without css: ${files.length}`,
    ...longestFirst(files),
    `lines of product code: ${sizes([...product])}`,
    `  without css, benches and simulations: ${sizes([...product].filter(([file]) => !BESIDE.test(file)))}`,
  ].join('\n')
}

interface Sized {
  lines: number
  what: string
}

function longestFirst(all: Sized[]): string[] {
  return all.sort((a, b) => b.lines - a.lines).map(({ lines, what }) => `  ${lines}  ${what}`)
}

function reversed(edge: string): string {
  return edge.split(' ').reverse().join(' ')
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

function functionsOf(file: string, text: string): Sized[] {
  if (!/\.tsx?$/.test(file)) return []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const found: Sized[] = []
  const visit = (node: SourceNode): void => {
    if (ts.isFunctionLike(node) && node.body) {
      const line = lineAt(node.getStart())
      const name = node.name?.text ?? node.parent.name?.text ?? '(without a name)'
      found.push({ lines: lineAt(node.end) - line + 1, what: `${name}  ${file}:${line}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

if (import.meta.main) console.log(figures(process.argv[2] ?? join(import.meta.dirname, '../..')))
