/** From a screen with a remedy back to the list before doors. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { isFromReady } from '../../shell/path.ts'
import { readyWords } from '../../words/late.ts'

/** For whoever came from the list, and for everybody until the first admission. */
export function WhatIsLeft({ model: { live, session } }: { model: Model }): JSX.Element | null {
  const isFrom = useMemo(() => isFromReady(location.hash), [])
  const isBefore = live.stats.value?.admissions === 0
  if (!session.may('invite') || !(isFrom || isBefore)) return null
  return (
    <a class="button" href="#/ready">
      {readyWords.whatIsLeft}
    </a>
  )
}
