/** Reads a YAML or JSON file whose mistakes are reported all at once, each with its line. */
import { readFileSync } from 'node:fs'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { formatKeys, type Mistake } from './check-value.ts'

/** Name of the file in messages, and the error for a file that cannot be used. */
export interface FileKind {
  /** Begins a message: `The configuration feed.yaml`. */
  readonly name: string
  /** True where an alias that cannot be resolved is listed as a mistake; otherwise it makes the file unreadable. */
  readonly badAlias: 'mistake' | 'unreadable'
  readonly Refusal: new (message: string, options?: RefusedFile) => Error
}

export interface RefusedFile extends ErrorOptions {
  /** In the order of the file; absent where it could not be read at all. */
  mistakes?: readonly PlacedMistake[]
}

/** A mistake, and where it is. */
export interface PlacedMistake extends Pick<Mistake, 'message' | 'kind' | 'value'> {
  /** From 1; 0 where the mistake is not in the file. */
  readonly line: number
  /** As `sinks[0].id`; empty for the file as a whole. */
  readonly key: string
}

export interface ParsedFile {
  /** The contents as plain values. */
  readonly plain: unknown
  /** @param overridden which variable of the environment each overridden key came from */
  refusal(mistakes: readonly Mistake[], overridden?: ReadonlyMap<string, string>): Error
}

const MOST_BYTES = 1024 * 1024

/** @throws `Refusal` for a file that cannot be read, is too large, or is not UTF-8 */
export function readTextFile(path: string, kind: FileKind): string {
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MOST_BYTES) throw new Error('it is larger than 1 MiB')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw unreadable(error as Error, kind)
  }
}

/** @throws `Refusal` for what is not YAML */
export function parseText(text: string, kind: FileKind): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = document.errors.map(({ message, pos: [at] }) => ({ line: lines.linePos(at).line, key: '', message }))
  if (broken.length > 0) throw refused(broken, kind)
  return {
    plain: plainOf(document, kind),
    refusal(mistakes, overridden = new Map()) {
      const placed = mistakes.map((mistake) => inFile(mistake, document, lines, overridden))
      const sorted = placed.sort((a, b) => a.line - b.line)
      return refused(sorted, kind)
    },
  }
}

function plainOf(document: Document, kind: FileKind): unknown {
  try {
    // Nested aliases make a small file stand for gigabytes.
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw kind.badAlias === 'mistake'
      ? refused([{ line: 0, key: '', message: (error as Error).message }], kind)
      : unreadable(error as Error, kind)
  }
}

function unreadable(error: Error, { name, Refusal }: FileKind): Error {
  return new Refusal(`${name} cannot be read: ${error.message}`, { cause: error })
}

function refused(mistakes: readonly PlacedMistake[], { name, Refusal }: FileKind): Error {
  const list = mistakes.map((mistake) => `  ${textOf(mistake)}`).join('\n')
  return new Refusal(`${name} has mistakes:\n${list}`, { mistakes })
}

/** `line 12: sinks[0].id: must be ...` */
function textOf({ line, key, message }: PlacedMistake): string {
  return `${line === 0 ? '' : `line ${line}: `}${key === '' ? '' : `${key}: `}${message}`
}

/** A mistake of a variable of the environment is in no line of the file. */
function inFile(
  { keys, ...mistake }: Mistake,
  document: Document,
  lines: LineCounter,
  overridden: ReadonlyMap<string, string>,
): PlacedMistake {
  const key = formatKeys(keys)
  const variable = overridden.get(key)
  if (keys.length > 0 && variable !== undefined)
    return { line: 0, key: '', message: `${variable}: ${key} ${mistake.message}` }
  const offset = keys.length === 0 ? undefined : offsetOf(document.contents, keys, document)
  return { ...mistake, key, line: offset === undefined ? 0 : lines.linePos(offset).line }
}

/** The offset of the last of these keys that is in the file: a missing key has no place of its own. */
function offsetOf(contents: Node | null, keys: Mistake['keys'], document: Document): number | undefined {
  let node: unknown = contents
  let offset: number | undefined
  for (const key of keys) {
    if (isAlias(node)) node = node.resolve(document)
    let next: unknown
    if (isSeq(node)) {
      next = node.items[Number(key)]
    } else if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      offset = (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? offset
      node = pair?.value
      if (pair === undefined) return offset
      continue
    }
    offset = (next as Node | undefined)?.range?.[0] ?? offset
    if (next === undefined) return offset
    node = next
  }
  return offset
}
