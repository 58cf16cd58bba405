/** Passkeys as tables show them, and the reason why this box has none. */
import type { Passkey } from '@gatehouse/proto/wire/passkeys.ts'
import type { WaysIn } from '@gatehouse/proto/wire/sign-in.ts'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { staffWords, actionWords as words } from '../../words/late.ts'

const say = staffWords.passkeys

interface PasskeyTableProps {
  rows: readonly Passkey[]
  /** For a list of several people. */
  withOwner?: boolean
  remove: (passkey: Passkey) => void
}

export function PasskeyTable({ rows, withOwner, remove }: PasskeyTableProps): JSX.Element {
  const owner: Column<Passkey>[] = withOwner ? [{ name: staffWords.name, cell: (row) => row.owner }] : []
  return (
    <Table
      caption={say.title}
      rows={rows}
      keyOf={({ id }) => id}
      empty={say.none}
      columns={[
        ...owner,
        { name: say.passkey, cell: ({ name, site }) => `${name} (${site})` },
        { name: staffWords.since, cell: ({ added_at }) => words.time.at(added_at) },
        {
          name: staffWords.used,
          cell: ({ last_used_at, last_address }) =>
            last_used_at === null ? staffWords.never : `${words.time.at(last_used_at)}, ${last_address ?? ''}`,
        },
        {
          name: staffWords.action,
          cell: (row) => (
            <button type="button" class="danger" aria-label={say.removeNamed(row.name)} onClick={() => remove(row)}>
              {staffWords.remove}
            </button>
          ),
        },
      ]}
    />
  )
}

/** Asks, removes, and looks again. @param send removes it at the box */
export function askToRemove(
  { askAndAct }: Pick<Model, 'askAndAct'>,
  { name }: Passkey,
  send: (actor: string) => Promise<unknown>,
): Promise<boolean> {
  const form = {
    title: say.removeNamed(name),
    text: say.removeText,
    submit: staffWords.remove,
    danger: true,
    fields: [],
  }
  return askAndAct(form, async (_, actor) => {
    await send(actor)
    return say.removed
  })
}

/** One sentence, or the address where there are passkeys. Null where this page can have them. */
export function WhyNone({ ways }: { ways: WaysIn }): JSX.Element | null {
  if (ways.passkeys === null) return <p class="quiet">{say.noName}</p>
  if (new URL(ways.address).origin === location.origin) return null
  return (
    <p>
      <a href={ways.address}>{say.elsewhere}</a>
    </p>
  )
}
