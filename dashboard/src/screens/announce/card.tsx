/** One announcement, as people see it. */
import type { JSX } from 'preact'
import { actionWords as words } from '../../words/late.ts'
import type { Severity } from './draft.ts'

const MARKS: Record<Severity, string> = { info: 'i', warning: '!', emergency: '!' }

interface CardProps {
  severity: Severity
  text: string
  lang: string
  when: string
}

export function Card({ severity, text, lang, when }: CardProps): JSX.Element {
  return (
    <article class="announce-card" data-severity={severity}>
      <h3>
        <span class="announce-mark" aria-hidden="true">
          <span>{MARKS[severity]}</span>
        </span>
        {words.announce.severities[severity].name}
      </h3>
      <p class="announce-text" lang={lang}>
        {text}
      </p>
      <p class="announce-when quiet">{when}</p>
    </article>
  )
}
