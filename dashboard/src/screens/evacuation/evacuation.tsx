/** The evacuation sheet: its figures, and the page. The last one stays here when the box is gone. */
import type { EvacuationSheet } from '@gatehouse/proto/wire/evacuation.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { type Attempt, useAttempt } from '../../widgets/attempt.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { actionWords as shared, salesWords as words } from '../../words/late.ts'
import { count } from '../../words/time.ts'
import type { PageParts } from '../parts/page-parts.ts'
import { Note, Page, Panel, Run, Said } from '../parts/parts.tsx'
import { PageActions, PrintedPage, readPage } from '../parts/printed.tsx'
import { notCounted } from './not-counted.ts'

const say = words.evacuation
const EVERY_MS = 60_000

interface Seen {
  sheet: EvacuationSheet
  /** The page to print may list people, and so needs more than the figures. */
  page: PageParts | null
}

export function Screen({ session: { client, may } }: Model): JSX.Element {
  const seen = useSignal<Seen | null>(null)
  const reading = useAttempt(async () => {
    const sheet = await answered(client.GET('/v1/admin/evacuation'))
    const page = may('evacuationPage')
      ? readPage(await answered(client.GET('/v1/admin/evacuation/page', { parseAs: 'text' })))
      : null
    // Both at once: figures and page are of one time.
    seen.value = { sheet, page }
  })
  useEffect(() => {
    void reading.run()
    const timer = setInterval(() => void reading.run(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const { value } = seen
  return (
    <Page title={say.title} lead={say.lead}>
      <Problem reading={reading} sheet={value?.sheet} />
      {value && <Figures sheet={value.sheet} />}
      {value?.page && <Sheet sheet={value.sheet} page={value.page} reading={reading} />}
    </Page>
  )
}

function Problem({ reading: { problem }, sheet }: { reading: Attempt<[]>; sheet: EvacuationSheet | undefined }) {
  const stale = problem.value !== null && sheet ? say.stale(shared.time.at(sheet.made_at)) : problem.value
  return <Said bad={stale} />
}

type Row = Pick<EvacuationSheet['zones'][number], 'name' | 'inside' | 'least' | 'most'> & { capacity: number | null }

const COLUMNS: readonly Column<Row>[] = [
  { name: say.column.zone, cell: ({ name }) => name },
  { name: say.column.inside, cell: ({ inside }) => <strong>{count(inside)}</strong>, number: true },
  { name: say.column.least, cell: ({ least }) => count(least), number: true },
  { name: say.column.most, cell: ({ most }) => count(most), number: true },
  { name: say.column.capacity, cell: ({ capacity }) => (capacity === null ? '' : count(capacity)), number: true },
]

function Figures({ sheet }: { sheet: EvacuationSheet }): JSX.Element {
  const { zones, total, boxes, made_at } = sheet
  const missing = boxes.filter(({ heard }) => !heard)
  const rows: Row[] = [...zones, { name: say.together, ...total, capacity: null }]
  return (
    <Panel title={say.figures} lead={say.madeAt(shared.time.at(made_at))}>
      {missing.length > 0 && <Note tone="bad">{say.notHeard(missing.map(({ name }) => name).join(', '))}</Note>}
      <Table caption={say.figures} columns={COLUMNS} rows={rows} keyOf={({ name }) => name} empty={say.none} />
      {boxes.length > 0 && <p class="quiet">{say.boxes(boxes.map(({ name }) => name).join(', '))}</p>}
      <h3>{say.notCounted}</h3>
      <ul>
        {notCounted(sheet).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Panel>
  )
}

interface SheetProps {
  sheet: EvacuationSheet
  page: PageParts
  reading: Attempt<[]>
}

function Sheet({ sheet, page, reading }: SheetProps): JSX.Element {
  const kept = sheet.kept_at === null ? null : shared.time.at(sheet.kept_at)
  return (
    <Panel title={say.sheet} lead={say.sheetLead(sheet.kept_in, kept)} class="printed-panel">
      <div class="part-row">
        <PageActions parts={page} name={`evacuation-${sheet.made_at.slice(0, 16)}.html`} />
        <Run work={reading} class="part-main">
          {say.refresh}
        </Run>
      </div>
      <PrintedPage parts={page} label={say.sheetLabel} />
    </Panel>
  )
}
