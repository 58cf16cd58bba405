/** What everybody is told, or everybody in some zones. */
import './announce.css'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { boxNow, stats } from '../../live/live.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { words } from '../../words/en-actions.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { zoneNames } from '../parts/places.ts'
import { Card } from './card.tsx'
import { Compose } from './compose.tsx'

const say = words.announce

export function Screen(): JSX.Element {
  const standing = useSignal<readonly Announcement[] | null>(null)
  const problem = useSignal<string | null>(null)
  const read = async () => {
    try {
      standing.value = (await answered(client.GET('/v1/announcements'))).announcements
      problem.value = null
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }
  useEffect(() => void read(), [])
  // One that has expired since it was read is shown to nobody.
  const shown = standing.value?.filter((each) => !each.expires_at || Date.parse(each.expires_at) > boxNow.value)
  return (
    <Page title={say.title}>
      <Compose sent={read} />
      <Panel title={say.standing}>
        <Said bad={problem.value} />
        {!shown && problem.value === null && <p class="quiet">{words.list.loading}</p>}
        {shown?.length === 0 && <p class="quiet">{say.standingEmpty}</p>}
        {shown && shown.length > 0 && (
          <ul class="announce-list">
            {shown.map((each) => (
              <li key={each.id}>
                <Card
                  severity={each.severity}
                  text={each.text}
                  lang={each.lang}
                  when={[
                    words.time.at(each.issued_at),
                    each.expires_at ? say.until(words.time.at(each.expires_at)) : say.forEver,
                    each.zones ? say.to(zoneNames(stats.value, each.zones)) : say.to(say.everybody.toLowerCase()),
                  ].join(' · ')}
                />
              </li>
            ))}
          </ul>
        )}
        <div class="part-row">
          <button type="button" onClick={() => void read()}>
            {words.list.refresh}
          </button>
        </div>
      </Panel>
    </Page>
  )
}
