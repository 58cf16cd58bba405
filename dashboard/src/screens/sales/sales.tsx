/** Tickets for people who came without one, guests, and what was sold today. */
import './sales.css'
import type { DaySales, Sale } from '@gatehouse/proto/wire/sales.ts'
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { salesWords as words } from '../../words/late.ts'
import { Page, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { DayPanel } from './day.tsx'
import { GuestPanel } from './guests.tsx'
import { SellPanel } from './sell.tsx'
import { SalePanel } from './shown.tsx'

const say = words.sales

/** State that the panels of this screen share. */
export interface Desk {
  model: Model
  day: ReadonlySignal<DaySales | null>
  /** Reads the day anew. */
  read: () => Promise<void>
  /** The sale whose tickets are handed over now. */
  shown: Signal<Sale | null>
}

export function Screen(model: Model): JSX.Element {
  const { client } = model.session
  const { found: day, problem, read } = useRead(() => answered(client.GET('/v1/admin/sales')))
  const shown = useSignal<Sale | null>(null)
  useEffect(() => void read(), [])
  const desk: Desk = { model, day, read, shown }
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={problem.value} />
      {shown.value ? <SalePanel desk={desk} sale={shown.value} key={shown.value.sale_id} /> : <SellPanel {...desk} />}
      <GuestPanel {...desk} />
      <DayPanel {...desk} />
    </Page>
  )
}
