/** The rehearsal: real phones and real tickets, and nobody counted. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { useOnce } from '../../widgets/once.ts'
import { readyWords } from '../../words/late.ts'
import { Facts, Panel, Run, Said } from '../parts/parts.tsx'
import { eventTime } from './event-time.ts'
import { endRehearsal, startRehearsal } from './rehearse.ts'

const say = readyWords.rehearsal

export function Rehearsal({ model }: { model: Model }): JSX.Element {
  const starting = useAttempt(() => startRehearsal(model))
  const ending = useOnce(() => endRehearsal(model))
  const { may } = model.session
  const running = model.live.stats.value?.rehearsal
  return (
    <Panel title={say.title} lead={say.lead}>
      {/* They are for the rehearsal itself: they stay while it runs. */}
      <ol>
        {say.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {running ? (
        <>
          <Facts
            rows={[
              [say.until, eventTime(running.until, model.live.stats.value?.time_zone, 'clock')],
              [say.scanners, running.devices],
              [say.scans, running.scans],
              [say.meanwhile, running.admitted_meanwhile, running.admitted_meanwhile > 0 ? 'bad' : ''],
            ]}
          />
          {may('endRehearsal') && (
            <Run work={ending} class="primary part-main">
              {say.end}
            </Run>
          )}
        </>
      ) : (
        <>
          {may('startRehearsal') ? (
            <Run work={starting} class="primary part-main">
              {say.start}
            </Run>
          ) : (
            <p class="quiet">{say.byAdmin}</p>
          )}
          <Said bad={starting.problem.value} />
        </>
      )}
    </Panel>
  )
}
