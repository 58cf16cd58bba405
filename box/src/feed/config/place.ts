/** Where in a YAML or JSON file a mistake is. */
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import { formatKeys, type Mistake } from './check-value.ts'

/** `line 12: sinks[0].id: must be ...`; what is not in the file comes first. */
export function inFile(
  { keys, message }: Mistake,
  document: Document,
  lines: LineCounter,
  overridden: ReadonlyMap<string, string>,
): { line: number; text: string } {
  if (keys.length === 0) return { line: 0, text: message }
  const key = formatKeys(keys)
  const variable = overridden.get(key)
  if (variable !== undefined) return { line: 0, text: `${variable}: ${key} ${message}` }
  const offset = offsetOf(document.contents, keys, document)
  if (offset === undefined) return { line: 0, text: `${key}: ${message}` }
  const { line } = lines.linePos(offset)
  return { line, text: `line ${line}: ${key}: ${message}` }
}

/** Where the last key that is in the file stands: a missing one has no place of its own. */
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
