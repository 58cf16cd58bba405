/** The forms of an event: name and time, ticket types, zones, gates, and the ways through them. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { guideWords as say } from '../../words/late.ts'
import { Panel, Select } from '../parts/parts.tsx'
import {
  idsIn,
  inTimezone,
  type Json,
  listOf,
  type Section,
  textOf,
  withEntry,
  withField,
  withNew,
  withoutEntry,
} from './draft.ts'
import { Text } from './fields.tsx'
import { isoOf, localOf } from './local-time.ts'

interface FormProps {
  event: Json
  change: (event: Json) => void
}

export function Forms(props: FormProps): JSX.Element {
  return (
    <>
      <Basics {...props} />
      <Entries {...props} section="tiers" row={TierRow} />
      <Entries {...props} section="zones" row={ZoneRow} />
      <Entries {...props} section="gates" row={GateRow} hint={say.gates.hint} />
      <Entries {...props} section="checkpoints" row={CheckpointRow} />
    </>
  )
}

const ZONES = Intl.supportedValuesOf('timeZone')

function Basics({ event, change }: FormProps): JSX.Element {
  const words = say.basics
  const timezone = textOf(event, 'timezone')
  const set = (field: string) => (value: string) => change(withField(event, field, value))
  const time = (field: 'starts_at' | 'ends_at') => (
    <Text
      label={words[field]}
      type="datetime-local"
      value={localOf(textOf(event, field), timezone)}
      set={(local) => change(withField(event, field, isoOf(local, timezone)))}
    />
  )
  return (
    <Panel title={words.title}>
      <div class="guide-row">
        <Text label={words.name} value={textOf(event, 'name')} set={set('name')} />
        <Text label={words.timezone} value={timezone} set={(to) => change(inTimezone(event, to))} list={ZONES} />
      </div>
      <div class="guide-row">
        <Text
          label={words.place}
          hint={words.placeHint}
          value={textOf(event, 'place')}
          set={(place) => change(withField(event, 'place', place.trim() === '' ? undefined : place))}
        />
      </div>
      <div class="guide-row">
        {time('starts_at')}
        {time('ends_at')}
        <Text
          label={words.day_starts_at}
          type="time"
          hint={words.dayHint}
          value={textOf(event, 'day_starts_at') || '00:00'}
          set={(value) => change(withField(event, 'day_starts_at', value === '' ? undefined : value))}
        />
      </div>
    </Panel>
  )
}

interface RowProps {
  event: Json
  entry: Json
  set: (field: string, value: unknown) => void
}

interface EntriesProps extends FormProps {
  section: Section
  row: (props: RowProps) => ComponentChildren
  hint?: string
}

/** A list of named things: each a row, and a line to add another. */
function Entries({ event, change, section, row, hint }: EntriesProps): JSX.Element {
  const adding = useSignal('')
  const { title, one } = say[section]
  const submit = (sent: Event) => {
    sent.preventDefault()
    if (adding.value.trim() === '') return
    change(withNew(event, section, adding.value.trim()))
    adding.value = ''
  }
  return (
    <Panel title={title} {...(hint !== undefined && { lead: hint })}>
      <ul class="guide-list">
        {listOf(event, section).map((entry, i) => {
          const set = (field: string, value: unknown) =>
            change(withEntry(event, section, i, withField(entry, field, value)))
          return (
            // An entry may be of a file that has two of one id.
            <li key={i} class="guide-row">
              <Text label={one} value={textOf(entry, 'name')} set={(name) => set('name', name)} />
              {row({ event, entry, set })}
              <button
                type="button"
                class="guide-remove"
                aria-label={say.remove(textOf(entry, 'name'))}
                onClick={() => change(withoutEntry(event, section, i))}
              >
                ×
              </button>
            </li>
          )
        })}
      </ul>
      <form class="part-row" onSubmit={submit}>
        <Text label={say.newName(one)} value={adding.value} set={(name) => (adding.value = name)} />
        <button type="submit">{say.add(one)}</button>
      </form>
    </Panel>
  )
}

function TierRow({ entry, set }: RowProps): JSX.Element {
  const { colour, entry: label, entries } = say.tiers
  return (
    <>
      <Text
        label={colour}
        type="color"
        value={textOf(entry, 'colour')}
        set={(value) => set('colour', value.toUpperCase())}
      />
      <Select
        label={label}
        value={textOf(entry, 'entry')}
        set={(value) => set('entry', value)}
        options={Object.entries(entries).map(([value, text]) => ({ value, label: text }))}
      />
    </>
  )
}

function ZoneRow({ entry, set }: RowProps): JSX.Element {
  return (
    <Text
      label={say.zones.capacity}
      type="number"
      value={textOf(entry, 'capacity')}
      set={(value) => set('capacity', value === '' ? undefined : Number(value))}
    />
  )
}

const GateRow = () => null

function CheckpointRow({ event, entry, set }: RowProps): JSX.Element {
  const words = say.checkpoints
  const gates = listOf(event, 'gates').map((gate) => ({ value: textOf(gate, 'id'), label: textOf(gate, 'name') }))
  const zones = listOf(event, 'zones').map((zone) => ({ value: textOf(zone, 'id'), label: textOf(zone, 'name') }))
  const side = (field: 'from' | 'to') => (
    <Select
      label={words[field]}
      value={textOf(entry, field)}
      set={(zone) => set(field, zone === '' ? null : zone)}
      options={[{ value: '', label: words.outside }, ...zones]}
    />
  )
  const served = idsIn(entry.tiers)
  const toggled = (id: string) => (served.includes(id) ? served.filter((one) => one !== id) : [...served, id])
  return (
    <>
      <Select label={words.gate} value={textOf(entry, 'gate')} set={(gate) => set('gate', gate)} options={gates} />
      <Select
        label={words.direction}
        value={textOf(entry, 'direction')}
        set={(direction) => set('direction', direction)}
        options={Object.entries(words.directions).map(([value, label]) => ({ value, label }))}
      />
      {side('from')}
      {side('to')}
      <fieldset class="part-field">
        <legend>{words.tiers}</legend>
        {listOf(event, 'tiers').map((tier, i) => {
          const id = textOf(tier, 'id')
          return (
            <label key={i} class="part-tick">
              <input type="checkbox" checked={served.includes(id)} onChange={() => set('tiers', toggled(id))} />
              {textOf(tier, 'name')}
            </label>
          )
        })}
      </fieldset>
    </>
  )
}
