/** Announcements to everybody, or to everybody in some zones. */
import './announce.css'
import { standing } from '@gatehouse/proto/announcement.ts'
import { languageOfPage } from '@gatehouse/proto/ui/language.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { zoneNames } from '../parts/places.ts'
import { useRead } from '../parts/read.ts'
import { Card } from './card.tsx'
import { Compose } from './compose.tsx'
import { correctionOf, type Draft, newDraft } from './draft.ts'

const say = words.announce

export function Screen(model: Model): JSX.Element {
  const { client } = model.session
  const draft = useSignal<Draft>(newDraft(languageOfPage()))
  const { boxNow, stats } = model.live
  const { found, problem, read } = useRead(async () => (await answered(client.GET('/v1/announcements'))).announcements)
  useEffect(() => void read(), [])
  // One that has expired since it was read is shown to nobody.
  const shown =
    found.value &&
    standing(found.value).filter((each) => !each.expires_at || Date.parse(each.expires_at) > boxNow.value)
  return (
    <Page title={say.title}>
      <Compose model={model} draft={draft} sent={read} />
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
                <div class="part-row">
                  <button
                    type="button"
                    aria-label={say.correctNamed(each.text)}
                    onClick={() => (draft.value = correctionOf(each))}
                  >
                    {say.correct}
                  </button>
                  <button
                    type="button"
                    aria-label={say.withdrawNamed(each.text)}
                    onClick={() => void withdraw(model, each).then((done) => (done ? read() : undefined))}
                  >
                    {say.withdraw}
                  </button>
                </div>
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

function withdraw({ askAndAct, session }: Model, { id, text }: Announcement): Promise<boolean> {
  return askAndAct(
    { title: say.withdrawTitle, text: say.withdrawText(text), submit: say.withdraw, fields: [] },
    async (_, actor) => {
      const params = { path: { id } }
      await answered(session.client.POST('/v1/admin/announcements/{id}/withdraw', { params, body: { actor } }))
      return say.withdrawn
    },
  )
}
