/** Each verdict's sound at a press: a crew learns them before doors, with the phone in the pocket. */
import { VERDICT_CLASSES } from '@gatehouse/proto/ui/verdict-class.ts'
import type { JSX } from 'preact'
import { PATTERNS } from '../sound/patterns.ts'
import type { Sound } from '../sound/sound.ts'
import { screenWords } from '../words/late.ts'
import { words } from '../words/words.ts'
import { Chip } from './chip.tsx'

export function HearVerdicts({ sound }: { sound: Sound }): JSX.Element {
  return (
    <details class="hear">
      <summary>{screenWords.settings.hear}</summary>
      <div class="hear-all">
        {VERDICT_CLASSES.map((name) => (
          <button type="button" key={name} onClick={() => sound.play(PATTERNS[name])}>
            <Chip of={name} />
            {words.verdict.class[name]}
          </button>
        ))}
      </div>
    </details>
  )
}
