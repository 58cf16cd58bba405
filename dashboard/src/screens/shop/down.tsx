/** Tickets on their way from pretix to the gates. */
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import type { ShopPretix } from '@gatehouse/proto/wire/shop.ts'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { shopWords as say, actionWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { speech } from '../../words/words.ts'
import { Note, Panel, Progress, Run, Said } from '../parts/parts.tsx'
import { clockProblem, downStateOf } from './state.ts'

export interface DirectionProps {
  model: Model
  pretix: ShopPretix
  /** Unix ms by the box's clock. */
  now: number
  read: () => Promise<void>
}

export function Down({ model, pretix: { source, down }, now, read }: DirectionProps): JSX.Element {
  const compare = useAttempt(async () => {
    const { client } = model.session
    await answered(client.POST('/v1/admin/shop/compare'))
    model.toasts.toast(say.comparing)
    await read()
  })
  const { word, tone } = downStateOf(down)
  const clocks = clockProblem(down)
  const ago = (at: string | null) => at && words.time.ago(now - Date.parse(at))
  return (
    <Panel title={say.down}>
      <p class="link-state" data-state={tone} role="status">
        {say.downStates[word]}
      </p>
      {down.last_error && <Note tone="bad">{saidBy('pretix', down.last_error_coded, down.last_error)}</Note>}
      <Reading down={down} />
      <Facts
        class="link-facts"
        rows={[
          [say.source, source],
          [say.answered, ago(down.answered_at)],
          [say.failing, down.failing_since && words.time.at(down.failing_since)],
          [say.lag, down.lag_seconds === null ? null : say.seconds(down.lag_seconds)],
          [say.changed, ago(down.changed_at)],
          [say.added, speech.number(down.tickets_added)],
          [say.ticketsChanged, speech.number(down.tickets_changed)],
          [say.compared, ago(down.compared_at)],
          [say.clocks, clocks === null ? null : say.clocksText(clocks)],
        ]}
      />
      {down.not_applied > 0 && (
        <Note tone="bad">
          {say.notApplied(down.not_applied)} <a href="#/hq">{say.openHq}</a>
        </Note>
      )}
      <Said bad={compare.problem.value} />
      {model.session.may('compareShop') && (
        <>
          <p class="quiet">{say.compareHint}</p>
          <Run work={compare} disabled={down.reading !== null || down.wanted}>
            {say.compare}
          </Run>
        </>
      )}
    </Panel>
  )
}

function Reading({ down: { reading, wanted } }: { down: ShopPretix['down'] }): JSX.Element | null {
  if (reading === null) return wanted ? <p>{say.soon}</p> : null
  const { page, pages } = reading
  const value = pages === null ? null : Math.min(page - 1, pages)
  return <Progress text={say.reading(page, pages)} label={say.readingLabel} value={value} max={pages ?? 1} />
}
