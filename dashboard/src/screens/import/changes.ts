/** An import's changes in one ticket, in words. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { actionWords as words } from '../../words/late.ts'
import { speech } from '../../words/words.ts'

export type TicketChange = NonNullable<ImportReport['changes']>[number]
type ChangedField = TicketChange['fields'][number]

/** Used and revoked tickets that keep their tier although the file has another one. */
export function keptTiers(report: ImportReport | null): number {
  return report?.tiers_kept ?? 0
}

/** "Ticket type: Day → VIP", one line for each field. @param tiers for their names */
export function changeTexts(
  { fields, tier_kept }: TicketChange,
  tiers: readonly { id: string; name: string }[],
): string[] {
  const names = new Map(tiers.map(({ id, name }) => [id, name]))
  const say = words.import.changes
  return fields.map((changed) => {
    const { field } = changed
    const label = say.fields[field as keyof typeof say.fields] ?? words.import.columns.fields[field as 'tier']
    const [from, to] = [valueText(changed, changed.from, names), valueText(changed, changed.to, names)]
    if (from === null && to === null) return label
    const text = `${label}: ${from ?? say.none} → ${to ?? say.none}`
    return field === 'tier' && tier_kept ? `${text} (${say.kept})` : text
  })
}

const MOMENT = { dateStyle: 'medium', timeStyle: 'short' } as const

function valueText({ field }: ChangedField, value: string | null, tiers: ReadonlyMap<string, string>): string | null {
  if (value === null) return null
  if (field === 'tier') return tiers.get(value) ?? value
  if (field === 'valid_from' || field === 'valid_until') return speech.time(Date.parse(value), MOMENT)
  const statuses: Readonly<Record<string, string>> = words.import.columns.statuses
  return field === 'status' ? (statuses[value] ?? value) : value
}
