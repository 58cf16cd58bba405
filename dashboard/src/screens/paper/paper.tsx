/** Paper lists: printed for a gate before doors, and typed in afterwards. */
import './paper.css'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { salesWords as words } from '../../words/late.ts'
import { Page } from '../parts/parts.tsx'
import { ListPanel } from './list.tsx'
import { TypePanel } from './type-in.tsx'

export function Screen(model: Model): JSX.Element {
  return (
    <Page title={words.paper.title} lead={words.paper.lead}>
      <ListPanel {...model} />
      <TypePanel {...model} />
    </Page>
  )
}
