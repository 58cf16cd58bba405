/** The box does not take this phone any more: what to do, in the place where the camera was. */
import type { JSX } from 'preact'
import type { Scanner } from '../gate/model.ts'
import { screenWords } from '../words/late.ts'
import { Page } from './page.tsx'
import { Unpair } from './unpair.tsx'

export function EndedScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  return (
    <Page title={screenWords.ended.title}>
      <p role="alert" class="bad ended-why">
        {scanner.ended.value}
      </p>
      <Unpair scanner={scanner} class="primary big" label={screenWords.ended.pairAgain} />
    </Page>
  )
}
