/** Alarms that nobody may miss, on every screen: old figures, emergencies, a record that is no longer sealed. */
import type { JSX } from 'preact'
import type { Model } from '../model.ts'
import { ageWords } from '../words/time.ts'
import { words } from '../words/words.ts'
import { endingSoon } from './ending.ts'
import { Lazy } from './lazy.tsx'

const say = words.shell

export function Alarms(model: Model): JSX.Element {
  const { live, bell, offline } = model
  const ending = endingSoon(live.stats.value?.gates ?? [], live.boxNow.value)
  const { stats, isStale, dataAge, emergencies, unreadable } = live
  return (
    <div class="alarms">
      {isStale.value && (
        // The age counts on outside of what is read out: a voice that says every second says nothing.
        <p class="alarm alarm-bad">
          <strong>{say.staleTitle(ageWords(dataAge.value ?? 0))}</strong> <span role="alert">{say.staleText}</span>
        </p>
      )}
      {(emergencies.value.length > 0 ||
        ending.length > 0 ||
        stats.value?.mesh?.mode === 'DEGRADED' ||
        stats.value?.admin_token_used ||
        stats.value?.seal.refusal ||
        stats.value?.rehearsal ||
        unreadable.value ||
        offline.newer.value ||
        bell.blocked.value) && (
        <Lazy
          quiet
          load={() => import('./late-alarms.tsx').then(({ LateAlarms }) => LateAlarms)}
          given={{ model, ending }}
        />
      )}
    </div>
  )
}
