/** The rest of a scanner's row, below it: what was agreed when it was paired, and its version. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { actionWords, liveWords } from '../../words/late.ts'
import { Facts } from '../parts/parts.tsx'
import { checkpointName } from '../parts/places.ts'
import { daysLeft } from './invite.ts'
import type { Listed } from './listed.ts'

const { days, fact } = actionWords.devices

export function Agreed({ model, scanner }: { model: Model; scanner: Listed }): JSX.Element {
  const { boxNow, stats } = model.live
  const { app_version: version, device } = scanner
  if (!device) return <p class="quiet">{actionWords.list.loading}</p>
  const left = daysLeft(device.certificate_expires_at, boxNow.value)
  return (
    <Facts
      rows={[
        [fact.checkpoints, device.checkpoints.map((id) => checkpointName(stats.value, id)).join(', ')],
        [fact.enrolled, actionWords.time.at(device.enrolled_at)],
        [fact.certificate, days(left), left < 0 ? 'bad' : left < 2 ? 'warn' : undefined],
        [liveWords.scanners.version, version ?? device.app?.software ?? '–'],
      ]}
    />
  )
}
