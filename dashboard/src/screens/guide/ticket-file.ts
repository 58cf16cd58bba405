/** What the guide reads of a shop's ticket file: the names of its kinds of tickets. The box reads the file itself, later. */

/** Columns that name the kind of a ticket, of the shops that the import knows. */
const TIER_COLUMNS = ['tier', 'product', 'ticket type', 'category', 'product name', 'ticket title']
/** More kinds than this are no kinds: it is another column. */
const MOST = 64

export interface TicketFile {
  header: readonly string[]
  /** Without repeats, in their order; empty where no column names them. */
  tiers: readonly string[]
}

/** @param column to read in place of the one that is recognised */
export function readTicketFile(text: string, column?: string): TicketFile {
  const rows = rowsOf(text)
  const first: readonly string[] = rows.next().value ?? []
  const header = first.map((name) => name.replace('\uFEFF', '').trim())
  const wanted = column?.toLowerCase()
  const names = header.map((name) => name.toLowerCase())
  const at = wanted ? names.indexOf(wanted) : TIER_COLUMNS.map((name) => names.indexOf(name)).find((i) => i >= 0)
  if (at === undefined || at < 0) return { header, tiers: [] }
  const tiers = new Set<string>()
  for (const row of rows) {
    const name = row[at]?.trim()
    if (name) tiers.add(name.slice(0, 120))
    if (tiers.size > MOST) return { header, tiers: [] }
  }
  return { header, tiers: [...tiers] }
}

/** Records of a CSV with commas, semicolons or tabs, and quoted cells. */
function* rowsOf(text: string): Generator<string[]> {
  const first = text.slice(0, text.indexOf('\n') >>> 0)
  const delimiter = [',', ';', '\t'].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  )
  let [row, cell, quoted] = [[] as string[], '', false]
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') cell += text[++i]
      else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === delimiter) {
      row.push(cell)
      cell = ''
    } else if (char === '\n') {
      yield [...row, cell.replace(/\r$/, '')]
      ;[row, cell] = [[], '']
    } else cell += char
  }
  if (cell !== '' || row.length > 0) yield [...row, cell]
}
