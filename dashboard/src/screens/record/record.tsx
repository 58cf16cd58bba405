/** The sealed record: seal it, verify it, hand it over, and show it to people. */
import './record.css'
import type { JSX } from 'preact'
import { words } from '../../words/en-actions.ts'
import { Page } from '../parts/parts.tsx'
import { ExportPanel } from './export.tsx'
import { ReportPanel } from './report-panel.tsx'
import { SealPanel } from './seal.tsx'
import { VerifyPanel } from './verify.tsx'

export function Screen(): JSX.Element {
  return (
    <Page title={words.record.title} lead={words.record.lead}>
      <SealPanel />
      <VerifyPanel />
      <ExportPanel />
      <ReportPanel />
    </Page>
  )
}
