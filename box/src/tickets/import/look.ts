/** Looks at the beginning of a ticket file: its columns with some of their values, and whether its format is known. */
import { setImmediate } from 'node:timers/promises'
import {
  COLUMNS_HEAD_BYTES,
  type ImportColumns,
  type KeptMatch,
  LONGEST_VALUE,
  MOST_VALUES,
} from '@gatehouse/proto/wire/import-columns.ts'
import { GatehouseError } from '../../errors.ts'
import { eachRecord, openCsv } from './csv.ts'
import { decode } from './encoding.ts'
import { labelsOf, sameHeader } from './match.ts'
import { isJson, recognised } from './read.ts'
import { plainText } from './row.ts'
import { columnsOf } from './table.ts'

/**
 * @param head the first bytes of the file, `COLUMNS_HEAD_BYTES` of them or all
 * @param kept matches of earlier files
 * @throws GatehouseError `bad_request` for what is no table, has too many columns, or no header
 */
export async function lookAtColumns(head: Uint8Array, kept: readonly KeptMatch[]): Promise<ImportColumns> {
  const { text } = decode(withoutCutCharacter(head))
  const nothing = { columns: [], kept: null, fits: false, missing: [] }
  if (isJson(text)) return { ...nothing, format: 'pretix' }
  const file = openCsv(text)
  const known = recognised(columnsOf(file.header))
  if (known !== undefined) return { ...nothing, format: known }
  const labels = labelsOf(file.header)
  const nearest = nearestOf(kept, labels)
  return {
    format: 'unknown',
    columns: await valuesOf(file, labels, {
      most: MOST_VALUES,
      longest: LONGEST_VALUE,
      isCut: head.length >= COLUMNS_HEAD_BYTES,
    }),
    kept: nearest ?? null,
    fits: nearest !== undefined && sameHeader(nearest.header, labels),
    missing: nearest?.match.columns.map(({ column }) => column).filter((name) => !labels.includes(name)) ?? [],
  }
}

/** The names of the columns of a whole file, as they are kept. @throws GatehouseError `bad_request` */
export function headerOf(file: Uint8Array): string[] {
  return labelsOf(openCsv(decode(withoutCutCharacter(file.subarray(0, COLUMNS_HEAD_BYTES))).text).header)
}

/**
 * The different values of each column.
 * @param labels of its header: `labelsOf`
 * @param isCut the file is the beginning of another one
 * @throws GatehouseError `bad_request` for quotation marks that do not pair up
 */
export async function valuesOf(
  file: ReturnType<typeof openCsv>,
  labels: readonly string[],
  { most, longest, isCut = false }: { most: number; longest: number; isCut?: boolean },
): Promise<ImportColumns['columns']> {
  const seen = labels.map(() => new Set<string>())
  try {
    await eachRecord(
      file,
      ({ cells, cut }) => {
        if (cut && isCut) return
        for (const [i, values] of seen.entries()) {
          if (values.size > most) continue
          const value = shortened(cells[i] ?? '', longest)
          if (value !== '') values.add(value)
        }
      },
      () => setImmediate(),
    )
  } catch (error) {
    // The beginning of a file may end within quotation marks.
    if (!isCut || !(error instanceof GatehouseError)) throw error
  }
  return labels.map((name, i) => {
    const values = [...(seen[i] ?? [])]
    return { name, values: values.slice(0, most), more: values.length > most }
  })
}

function shortened(cell: string, longest: number): string {
  const plain = plainText(cell.slice(0, longest * 4))
  return plain.length > longest ? `${plain.slice(0, longest - 1).toWellFormed()}…` : plain
}

/** The match of just these columns, otherwise the newest one that shares most of its columns with them. */
function nearestOf(kept: readonly KeptMatch[], labels: readonly string[]): KeptMatch | undefined {
  const same = kept.findLast(({ header }) => sameHeader(header, labels))
  if (same) return same
  const shared = ({ match: { columns } }: KeptMatch) =>
    columns.filter(({ column }) => labels.includes(column)).length / Math.max(1, columns.length)
  return kept.toReversed().find((one) => shared(one) >= 0.5)
}

/** Without the bytes of a UTF-8 character that was cut in two: they would make the text look like another encoding. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}
