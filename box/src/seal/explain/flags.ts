/** `flags`: every case with all its scans, and what somebody found out about it, at whichever box. */
import { readValue } from '../../ledger/identity.ts'
import { flags } from '../../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry } from '../../scan/entry.ts'
import { type ExplainContext, type Explainer, type Fact, SmallTable, unixMs, type Values } from './explainer.ts'
import { Notes } from './notes.ts'

const OPEN = { resolution: null, resolvedBy: null, resolvedAt: null, resolutionHlc: null, resolutionBox: null }

interface Case {
  readonly [name: string]: unknown
  scanIds: string[]
  resolution: string | null
  resolutionHlc: string | null
  resolutionBox: string | null
}

export function explainFlags({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable<Case>('flag', problems)
  const notes = new Notes('flag', problems)
  const self = readValue({ drizzle }, 'box_id')?.toString() ?? ''

  /** The union of what is known and of what somebody says. */
  function add(
    id: string,
    { index, box }: Fact,
    about: Pick<FlagEntry, 'scans' | 'device'> & { kind: string; ticketRef: string | null },
  ) {
    const there = table.get(id)
    const scanIds = [...new Set([...(there?.scanIds ?? []), ...about.scans])]
    if (there && scanIds.length === there.scanIds.length) return
    // What another box says may change the row without a word of ours: when it was detected, how often the ticket was in.
    const entry = box === undefined ? { entry: index } : {}
    const { scans: _, ...opened } = about
    const { entry: __, ...kept }: Values = there ?? opened
    table.set(id, index, { ...kept, scanIds, ...entry, ...OPEN })
    notes.expect(id, index, null)
  }

  return {
    fact(fact) {
      const { index, hlc, kind, said, box } = fact
      notes.fact(fact)
      if (kind === 'flag') {
        const { flag, flag_kind, scans, ticket: ticketRef, device } = said as unknown as FlagEntry
        add(flag, fact, { kind: flag_kind, ticketRef, device, scans })
      } else if (kind === 'flag_resolved') {
        const {
          flag,
          flag_kind,
          resolution,
          actor: resolvedBy,
          at,
          note_hash,
          ...more
        } = said as unknown as FlagResolvedEntry
        const scans = more.scans ?? table.get(flag)?.scanIds ?? []
        if (box !== undefined) {
          add(flag, fact, { kind: flag_kind, ticketRef: more.ticket ?? null, device: null, scans })
        }
        const there = table.get(flag)
        const place = { resolutionHlc: hlc, resolutionBox: box ?? self }
        if (there && (scans.length < there.scanIds.length || isEarlier(place, there))) return
        const { entry: _, ...kept } = there ?? ({ scanIds: scans } as Case)
        const entry = box === undefined ? { entry: index } : {}
        const found = { ...kept, resolution, resolvedBy, resolvedAt: unixMs(at), ...place, ...entry }
        if (there) table.set(flag, index, found)
        else table.change(flag, index, found)
        notes.expect(flag, index, note_hash, { heard: box !== undefined })
      }
    },
    end() {
      const rows = drizzle.select().from(flags).all()
      table.compare(
        rows.map((row) => ({
          key: row.id,
          index: row.entry,
          // Resolved before there were several boxes: nobody had to know which of two came last.
          values:
            row.resolution !== null && row.resolutionHlc === null ? { ...row, ...placeIn(table.get(row.id)) } : row,
        })),
      )
      for (const { id, resolutionNote, resolutionSalt } of rows) notes.compare(id, resolutionNote, resolutionSalt)
    },
  }
}

function placeIn(expected: Case | undefined) {
  return { resolutionHlc: expected?.resolutionHlc ?? null, resolutionBox: expected?.resolutionBox ?? null }
}

function isEarlier(place: Pick<Case, 'resolutionHlc' | 'resolutionBox'>, there: Case): boolean {
  if (there.resolution === null) return false
  const textOf = (one: Pick<Case, 'resolutionHlc' | 'resolutionBox'>) => `${one.resolutionHlc} ${one.resolutionBox}`
  return textOf(place) < textOf(there)
}
