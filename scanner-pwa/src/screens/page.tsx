/** The frame of every screen but the scanner's own: its heading, and the way back. */
import type { ComponentChildren, JSX } from 'preact'
import { hashOf, type ScreenName } from '../route.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import './page.css'

interface PageProps {
  title: string
  lead?: string
  /** Target of the arrow; absent where there is no way back. */
  back?: ScreenName
  children: ComponentChildren
}

export function Page({ title, lead, back, children }: PageProps): JSX.Element {
  return (
    <div class="page">
      <header class="page-head">
        {back && (
          <a class="button page-back" href={hashOf(back)} aria-label={words.back}>
            <Icon name="back" />
          </a>
        )}
        <h1>{title}</h1>
      </header>
      {lead && <p class="quiet">{lead}</p>}
      {children}
    </div>
  )
}
