/** A new announcement, beside what people will see of it. */
import { languageOfPage } from '@gatehouse/proto/ui/language.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { Choices, Panel, Said, Select } from '../parts/parts.tsx'
import { zoneNames } from '../parts/places.ts'
import { Card } from './card.tsx'
import { charactersLeft, type Draft, EMPTY, faultOf, LASTS, newDraft, requestOf, SEVERITIES } from './draft.ts'

const say = words.announce

interface ComposeProps {
  model: Model
  draft: Signal<Draft>
  sent: () => Promise<void>
}

export function Compose({ model, draft, sent }: ComposeProps): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null)
  const corrects = draft.value.replaces
  useEffect(() => {
    if (corrects !== undefined) field.current?.focus()
  }, [corrects])
  const fault = useSignal<string | null>(null)
  const set = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
    fault.value = null
  }
  const sending = useOnce(async (given: Draft) => {
    if (!(await send(model, given))) return
    draft.value = { ...EMPTY, lang: given.lang }
    await sent()
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const wrong = faultOf(draft.value)
    fault.value = wrong && say[wrong]
    if (wrong === null) void sending.run(draft.value)
    else if (wrong !== 'chooseZones') field.current?.focus()
  }
  return (
    <Panel title={corrects === undefined ? say.compose : say.correcting}>
      <div class="announce-compose">
        <form class="part-form" onSubmit={submit} noValidate>
          {corrects === undefined && <Templates set={set} />}
          <Text field={field} text={draft.value.text} set={(text) => set({ text })} />
          <Audience draft={draft.value} set={set} zones={model.live.stats.value?.zones ?? []} />
          <div class="announce-selects">
            <Select
              label={say.expiry}
              value={String(draft.value.lasts)}
              set={(seconds) => set({ lasts: Number(seconds) })}
              options={LASTS.map((seconds) => ({
                value: String(seconds),
                label: seconds === 0 ? say.forEver : words.time.duration(seconds * 1000),
              }))}
            />
            <Select
              label={say.language}
              value={draft.value.lang}
              set={(lang) => set({ lang })}
              options={Object.entries(say.languages).map(([value, label]) => ({ value, label }))}
            />
          </div>
          <Said bad={fault.value} />
          <div class="part-row">
            <button type="submit" class="primary part-main" aria-busy={sending.busy.value}>
              {say.send}
            </button>
            {corrects !== undefined && (
              <button type="button" onClick={() => (draft.value = newDraft(languageOfPage()))}>
                {say.dontCorrect}
              </button>
            )}
          </div>
        </form>
        <Preview draft={draft.value} />
      </div>
    </Panel>
  )
}

/** Texts for what happens often, and for what leaves no time to write. */
function Templates({ set }: { set: (part: Partial<Draft>) => void }): JSX.Element {
  const chosen = (name: string) => {
    const { text, severity } = say.templates.find((one) => one.name === name) ?? EMPTY
    // In the language of this page, whatever was chosen before.
    set({ text, severity, lang: newDraft(languageOfPage()).lang })
  }
  return (
    <Select
      label={say.template}
      value=""
      set={chosen}
      options={[
        { value: '', label: say.noTemplate },
        ...say.templates.map(({ name }) => ({ value: name, label: name })),
      ]}
    />
  )
}

interface TextProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  set: (text: string) => void
}

function Text({ field, text, set }: TextProps): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.text}</label>
      <textarea
        ref={field}
        id={id}
        rows={5}
        maxLength={500}
        value={text}
        aria-describedby={`${id}-hint`}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <div class="announce-count">
        <p class="quiet" id={`${id}-hint`}>
          {say.textHint}
        </p>
        <p class="announce-left quiet">{say.left(charactersLeft(text))}</p>
      </div>
    </div>
  )
}

interface AudienceProps {
  draft: Draft
  set: (part: Partial<Draft>) => void
  zones: Stats['zones']
}

/** The urgency, and the audience. */
function Audience({ draft, set, zones }: AudienceProps): JSX.Element {
  const { severity, everybody, zones: chosen } = draft
  const toggle = (id: string) => {
    const others = [...chosen].filter((other) => other !== id)
    set({ zones: new Set(chosen.has(id) ? others : [...others, id]) })
  }
  return (
    <>
      <div class="part-field">
        <Choices
          label={say.urgency}
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
            {zones.map(({ id, name }) => (
              <label key={id} class="part-tick">
                <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
      </div>
    </>
  )
}

function Preview({ draft: { severity, lang, text } }: { draft: Draft }): JSX.Element {
  return (
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
  )
}

/** Everybody sees it at once: the text is read once more before it goes. */
function send({ askAndAct, live, session }: Model, draft: Draft): Promise<boolean> {
  const whom = draft.everybody ? say.everybody.toLowerCase() : zoneNames(live.stats.value, [...draft.zones])
  return askAndAct(
    {
      title: say.confirm.title(say.severities[draft.severity].name, whom),
      text: say.confirm.text(draft.text.trim()),
      submit: say.confirm.submit,
      danger: draft.severity === 'emergency',
      fields: [],
    },
    async (_, actor) => {
      await answered(session.client.POST('/v1/admin/announce', { body: requestOf(draft, actor, live.boxNow.value) }))
      return draft.replaces === undefined ? say.sent : say.corrected
    },
  )
}
