/** A new announcement, beside what people will see of it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useMemo, useRef } from 'preact/hooks'
import { boxNow, stats } from '../../live/live.ts'
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { askAndAct } from '../../widgets/act.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Choices, Panel, Said } from '../parts/parts.tsx'
import { zoneNames } from '../parts/places.ts'
import { Card } from './card.tsx'
import { charactersLeft, type Draft, EMPTY, faultOf, LASTS, requestOf, SEVERITIES } from './draft.ts'

const say = words.announce

export function Compose({ sent }: { sent: () => Promise<void> }): JSX.Element {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useSignal<Draft>(EMPTY)
  const fault = useSignal<string | null>(null)
  const set = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
    fault.value = null
  }
  const sending = useMemo(
    () =>
      once(async (given: Draft) => {
        if (!(await send(given))) return
        draft.value = { ...EMPTY, lang: given.lang }
        await sent()
      }),
    [],
  )
  const submit = (event: Event) => {
    event.preventDefault()
    const wrong = faultOf(draft.value)
    fault.value = wrong && say[wrong]
    if (wrong === null) void sending.run(draft.value)
    else if (wrong !== 'chooseZones') field.current?.focus()
  }
  const { text, severity, lang, everybody, zones, lasts } = draft.value
  return (
    <Panel title={say.compose}>
      <div class="announce-compose">
        <form class="part-form" onSubmit={submit} noValidate>
          <div class="part-field">
            <label for={`${id}-text`}>{say.text}</label>
            <textarea
              ref={field}
              id={`${id}-text`}
              rows={5}
              maxLength={500}
              value={text}
              aria-describedby={`${id}-hint`}
              onInput={(event) => set({ text: event.currentTarget.value })}
            />
            <div class="announce-count">
              <p class="quiet" id={`${id}-hint`}>
                {say.textHint}
              </p>
              <p class="announce-left quiet">{say.left(charactersLeft(text))}</p>
            </div>
          </div>
          <div class="part-field">
            <Choices
              label={say.severity}
              value={severity}
              set={(value) => set({ severity: value })}
              options={SEVERITIES.map((value) => ({ value, label: say.severities[value].name }))}
            />
            <p class="quiet">{say.severities[severity].means}</p>
          </div>
          <div class="part-field">
            <Choices
              label={say.zones}
              value={everybody ? 'all' : 'zones'}
              set={(value) => set({ everybody: value === 'all' })}
              options={[
                { value: 'all', label: say.everybody },
                { value: 'zones', label: say.onlyZones },
              ]}
            />
            {!everybody && (
              <fieldset class="part-field">
                <legend class="visually-hidden">{say.onlyZones}</legend>
                {stats.value?.zones.map((zone) => (
                  <label key={zone.id} class="part-tick">
                    <input
                      type="checkbox"
                      checked={zones.has(zone.id)}
                      onChange={() => {
                        const others = [...zones].filter((other) => other !== zone.id)
                        set({ zones: new Set(zones.has(zone.id) ? others : [...others, zone.id]) })
                      }}
                    />
                    {zone.name}
                  </label>
                ))}
              </fieldset>
            )}
          </div>
          <div class="announce-selects">
            <div class="part-field">
              <label for={`${id}-lasts`}>{say.expiry}</label>
              <select
                id={`${id}-lasts`}
                value={String(lasts)}
                onChange={(event) => set({ lasts: Number(event.currentTarget.value) })}
              >
                {LASTS.map((seconds) => (
                  <option key={seconds} value={String(seconds)}>
                    {seconds === 0 ? say.forEver : words.time.duration(seconds * 1000)}
                  </option>
                ))}
              </select>
            </div>
            <div class="part-field">
              <label for={`${id}-lang`}>{say.language}</label>
              <select id={`${id}-lang`} value={lang} onChange={(event) => set({ lang: event.currentTarget.value })}>
                {Object.entries(say.languages).map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <Said bad={fault.value} />
          <div class="part-row">
            <button type="submit" class="primary part-main" aria-busy={sending.busy.value}>
              {say.send}
            </button>
          </div>
        </form>
        <section class="announce-preview" aria-label={say.preview}>
          <h3>{say.preview}</h3>
          <div class="announce-phone">
            <Card
              severity={severity}
              lang={lang}
              text={text.trim() === '' ? say.previewEmpty : text.trim()}
              when={words.time.ago(0)}
            />
          </div>
        </section>
      </div>
    </Panel>
  )
}

/** It cannot be taken back: the text is read once more before it goes. */
function send(draft: Draft): Promise<boolean> {
  const whom = draft.everybody ? say.everybody.toLowerCase() : zoneNames(stats.value, [...draft.zones])
  return askAndAct(
    {
      title: say.confirm.title(say.severities[draft.severity].name, whom),
      text: say.confirm.text(draft.text.trim()),
      submit: say.confirm.submit,
      danger: draft.severity === 'emergency',
      fields: [],
    },
    async (_, actor) => {
      await answered(client.POST('/v1/admin/announce', { body: requestOf(draft, actor, boxNow.value) }))
      return say.sent
    },
  )
}
