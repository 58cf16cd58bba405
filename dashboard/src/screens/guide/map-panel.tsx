/** The map of the event: imported from files of others, with the gates put on it by a click, or none. */
import type { JSX } from 'preact'
import { useEffect, useId, useMemo } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { guideWords } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { Note, Panel, Run, Said, Select } from '../parts/parts.tsx'
import { type Json, listOf, textOf } from './draft.ts'
import { BeginMap } from './map-begin.tsx'
import { type Choices, type MapApi, type Mapping, mapping } from './map-state.ts'
import { MapTools } from './map-tools.tsx'

const say = guideWords.map
const PAUSE_MS = 500
const RULES_EXAMPLE =
  '[{"file": "wc.geojson", "where": {"ref": "wc"}, "kind": "amenity", "properties": {"category": "restroom"}}]'
/** Of an airport nobody reads them all. */
const MOST_ENTRANCES = 200
const MOST_PROBLEMS = 20

interface Props {
  model: Model
  event: Json
  /** The file was written: it counts when the box begins anew. */
  saved: () => void
}

export function MapPanel({ model, event, saved }: Props): JSX.Element {
  const state = useMemo(() => mapping(apiOf(model), debounced(PAUSE_MS)), [])
  useEffect(() => void state.open(), [])
  const { found, draft, isChanged, isBusy, problem } = state
  const saving = useAttempt(async () => {
    await model.session.withActor()
    await state.save()
    if (state.problem.value !== null) return
    model.toasts.toast(guideWords.check.saved)
    saved()
  })
  const file = found.value
  if (!file)
    return (
      <Panel title={say.title}>
        <Said bad={problem.value} />
      </Panel>
    )
  return (
    <Panel title={say.title} lead={say.lead}>
      {file.state === 'too_large' && <p>{say.tooLarge}</p>}
      {file.state === 'unreadable' && <Note tone="bad">{say.unreadable}</Note>}
      {draft.value === null && file.state !== 'too_large' && <p>{say.none}</p>}
      <Files state={state} event={event} />
      <Chosen state={state} event={event} />
      {draft.value ? (
        <MapTools state={state} event={event} collection={draft.value} />
      ) : (
        file.state !== 'too_large' && <BeginMap begin={state.begin} />
      )}
      <Problems state={state} />
      <Said bad={saving.problem.value ?? problem.value} />
      <div class="part-row">
        {isChanged.value && (
          <>
            <Run work={saving} class="primary part-main" disabled={isBusy.value || !isSound(state)}>
              {say.save}
            </Run>
            <button type="button" onClick={() => void state.open()}>
              {say.discard}
            </button>
          </>
        )}
        {draft.value && (
          <button type="button" onClick={state.remove}>
            {say.remove}
          </button>
        )}
      </div>
    </Panel>
  )
}

/** No map is sound; one that is not checked yet is not known to be. */
function isSound({ draft, checked }: Mapping): boolean {
  if (draft.value === null) return true
  return checked.value?.problems.every(({ severity }) => severity === 'warning') ?? false
}

function Files({ state, event }: { state: Mapping; event: Json }): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.files}</label>
      <input
        id={id}
        type="file"
        multiple
        accept=".geojson,.json,.txt"
        aria-describedby={`${id}-hint`}
        disabled={state.isBusy.value}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          if (files.length > 0) void state.choose(files, event)
        }}
      />
      <p class="quiet" id={`${id}-hint`}>
        {say.filesHint}
      </p>
    </div>
  )
}

/** Choices that the files leave open: the zone that they are, and the entrances that are gates. */
function Chosen({ state, event }: { state: Mapping; event: Json }): JSX.Element | null {
  const { imported, choices } = state
  const found = imported.value
  if (!found || found.format === 'map') return null
  const { zone, entrances, parts, language } = choices.value
  const change = (more: Partial<Choices>) => void state.say({ ...choices.value, ...more }, event)
  return (
    <div class="guide-row">
      <Select
        label={say.zone}
        value={zone}
        set={(id) => change({ zone: id })}
        options={[{ value: '', label: say.noZone }, ...named(event, 'zones')]}
      />
      {found.entrances.length > 0 &&
        named(event, 'gates').map(({ value: gate, label }) => (
          <Select
            key={gate}
            label={say.entrance(label)}
            value={entrances[gate] ?? ''}
            set={(id) => change({ entrances: { ...entrances, [gate]: id } })}
            options={[
              { value: '', label: say.byHand },
              ...found.entrances.slice(0, MOST_ENTRANCES).map(({ id, said }) => ({ value: id, label: said || id })),
            ]}
          />
        ))}
      {found.parts.length > 0 &&
        named(event, 'zones').map(({ value: id, label }) => (
          <Select
            key={id}
            label={say.part(label)}
            value={parts[id] ?? ''}
            set={(part) => change({ parts: { ...parts, [id]: part } })}
            options={[
              { value: '', label: say.noPart },
              ...found.parts.slice(0, MOST_ENTRANCES).map((part) => ({ value: part.id, label: part.said || part.id })),
            ]}
          />
        ))}
      {found.languages.length > 1 && (
        <Select
          label={say.language}
          value={language}
          set={(tag) => change({ language: tag })}
          options={[
            { value: '', label: say.anyLanguage },
            ...found.languages.map((tag) => ({ value: tag, label: tag })),
          ]}
        />
      )}
      {found.format === 'geojson' && <Rules choose={(file) => void state.chooseRules(file, event)} />}
    </div>
  )
}

function Rules({ choose }: { choose: (file: File) => void }): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.rules}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) choose(file)
        }}
      />
      <p class="quiet" id={`${id}-hint`}>
        {say.rulesHint} <code>{RULES_EXAMPLE}</code>
      </p>
    </div>
  )
}

function Problems({ state: { checked, imported } }: { state: Mapping }): JSX.Element | null {
  const problems = [...(checked.value?.problems ?? []), ...(imported.value?.problems ?? [])]
  const errors = problems.filter(({ severity }) => severity === 'error')
  const shown = [...errors, ...problems.filter(({ severity }) => severity === 'warning')].slice(0, MOST_PROBLEMS)
  if (shown.length === 0) return null
  return (
    <div role="status">
      {errors.length > 0 ? (
        <Note tone="bad">{guideWords.check.mistakes(errors.length)}</Note>
      ) : (
        <p>{guideWords.check.warnings}</p>
      )}
      <ul>
        {shown.map(({ feature, message, coded }, i) => (
          <li key={i}>
            {feature !== '' && <code>{feature}</code>} {saidBy(['event', 'map'], coded, message)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function named(event: Json, section: 'zones' | 'gates'): { value: string; label: string }[] {
  return listOf(event, section).map((one) => ({ value: textOf(one, 'id'), label: textOf(one, 'name') }))
}

function apiOf({ session: { client, actor } }: Model): MapApi {
  const by = () => (actor.value === null ? {} : { actor: actor.value })
  return {
    read: () => answered(client.GET('/v1/admin/event/map')),
    import: (body) => answered(client.POST('/v1/admin/event/map/import', { body: body as never })),
    check: (collection) => answered(client.POST('/v1/admin/event/map/check', { body: { collection } })),
    save: (save) => answered(client.PUT('/v1/admin/event/map', { body: { ...save, ...by() } })),
  }
}

function debounced(ms: number): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (work) => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
  }
}
