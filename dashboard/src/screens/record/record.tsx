/** The sealed record: seal it, verify it, hand it over, and show it to people. */
import './record.css'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { actionWords as words } from '../../words/late.ts'
import { Page } from '../parts/parts.tsx'
import { ExportPanel } from './export.tsx'
import { ReportPanel } from './report-panel.tsx'
import { SealPanel } from './seal.tsx'
import { VerifyPanel } from './verify.tsx'

export function Screen(model: Model): JSX.Element {
  return (
    <Page title={words.record.title} lead={words.record.lead}>
      <SealPanel {...model} />
      <VerifyPanel {...model} />
      <ExportPanel {...model} />
      <ReportPanel {...model} />
    </Page>
  )
}
