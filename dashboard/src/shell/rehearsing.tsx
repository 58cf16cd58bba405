/** Over every screen while a rehearsal runs: whoever comes in is not counted, and one press ends it. */
import type { JSX } from 'preact'
import type { Model } from '../model.ts'
import { endRehearsal } from '../screens/ready/rehearse.ts'
import { useOnce } from '../widgets/once.ts'
import { readyWords } from '../words/late.ts'
import { ageWords } from '../words/time.ts'

export function Rehearsing({ model }: { model: Model }): JSX.Element | null {
  const ending = useOnce(() => endRehearsal(model))
  const running = model.live.stats.value?.rehearsal
  if (!running) return null
  const say = readyWords.rehearsal
  return (
    <section class="alarm alarm-warn" aria-label={say.started}>
      <strong role="alert">{say.band(running.actor)}</strong>{' '}
      <span>
        {say.left(ageWords(Date.parse(running.until) - model.live.boxNow.value))}
        {running.admitted_meanwhile > 0 && ` ${say.real(running.admitted_meanwhile)}`}
      </span>
      {model.session.may('endRehearsal') && (
        <button type="button" aria-busy={ending.busy.value} onClick={() => void ending.run()}>
          {say.end}
        </button>
      )}
    </section>
  )
}
