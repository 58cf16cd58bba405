/** The beginning of an event of its own: a name, and the shop's file where there is one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { forgetKeptFile, keepFile, readKeptFile } from '../../session/kept-file.ts'
import { cleanActor, kept } from '../../session/stored.ts'
import { FileField } from '../../widgets/file-field.tsx'
import { actionWords, guideWords } from '../../words/late.ts'
import { upload } from '../import/upload.ts'
import { Note, Panel, Progress, Said, Select } from '../parts/parts.tsx'
import { blankEvent, type Json } from './draft.ts'
import { Text } from './fields.tsx'
import { type TicketFile, ticketFile } from './ticket-file.ts'
import { NONE, UNSAID } from './tier-column.ts'

const say = guideWords.start

interface Props {
  model: Model
  begin: (event: Json) => void
}

export function Start({ model, begin }: Props): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const keptName = useMemo(() => kept('gatehouse-new-event', cleanActor), [])
  const name = useSignal(keptName.read() ?? '')
  const fault = useSignal<string | null>(null)
  const tickets = useMemo(() => ticketFile(lookOf(model), shelfOf(model), Date.now), [])
  useEffect(() => void tickets.open(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    fault.value = name.value.trim() === '' ? say.noName : tickets.asks() ? say.needColumn : null
    if (fault.value !== null) return
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    const made = {
      name: name.value.trim(),
      timezone,
      tiers: tickets.tierNames(),
      now: Date.now(),
      words: guideWords.blank,
    }
    const draft = blankEvent(made)
    await tickets.belongsTo(draft)
    keptName.write(null)
    begin(draft)
  }
  const { file, progress, problem } = tickets
  return (
    <Panel title={say.title} lead={say.lead}>
      <form class="part-form" onSubmit={(event) => void submit(event)}>
        <Text
          label={say.name}
          value={name.value}
          set={(text) => {
            name.value = text
            keptName.write(text)
          }}
        />
        <FileField
          field={field}
          label={say.file}
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          hint={say.fileHint}
          file={file.value}
          disabled={false}
          choose={(chosen) => void tickets.choose(chosen)}
        />
        {progress.value !== null && <UnderWay sent={progress.value} />}
        <Found tickets={tickets} />
        <Said bad={fault.value ?? problem.value} />
        <div class="part-row">
          <button type="submit" class="primary part-main" disabled={progress.value !== null}>
            {say.go}
          </button>
          <a class="button" href="#/shop">
            {say.shop}
          </a>
        </div>
      </form>
    </Panel>
  )
}

function shelfOf({ session: { role, actor } }: Model): Parameters<typeof ticketFile>[1] {
  return {
    read: () => readKeptFile(Date.now()),
    keep: (kept) => keepFile({ ...kept, of: role.value === null ? null : actor.value }),
    forget: forgetKeptFile,
  }
}

function UnderWay({ sent }: { sent: number }): JSX.Element {
  const words = actionWords.import
  const isSent = sent >= 1
  return (
    <Progress
      text={isSent ? words.reading : words.uploading(Math.floor(sent * 100))}
      label={isSent ? words.reading : words.sending}
      value={isSent ? null : sent}
    />
  )
}

/** The shop that the file is of and its ticket types; or the question which of its columns has them. */
function Found({ tickets }: { tickets: TicketFile }): JSX.Element | null {
  const { found, column, isKept } = tickets
  const { value } = found
  if (!value) return null
  const names = tickets.tierNames()
  const chosen = value.columns.find(({ name }) => name === column.value)
  return (
    <>
      {value.format === 'unknown' ? (
        <>
          <p>{say.unknown}</p>
          <Select
            label={say.column}
            value={column.value ?? OPEN}
            set={(name) => name !== OPEN && tickets.chooseColumn(name)}
            options={[
              ...(column.value === UNSAID ? [{ value: OPEN, label: say.chooseColumn }] : []),
              { value: NONE, label: say.noColumn },
              ...value.columns.map(optionOf),
            ]}
          />
          {chosen?.more && <Note tone="bad">{say.noKinds(chosen.values.length)}</Note>}
        </>
      ) : (
        <Note tone="good">{say.is(actionWords.import.formats[value.format], value.tickets)}</Note>
      )}
      {names.length > 0 && (
        <p>
          {say.found(names.length)} <span class="quiet">{names.join(', ')}</span>
        </p>
      )}
      {value.more && <p class="warn">{say.more(names.length)}</p>}
      <p class="quiet">{isKept.value ? say.kept : say.notKept}</p>
    </>
  )
}

const SHOWN_VALUES = 3
/** Value of the select while nobody has said it: no column has such a name. */
const OPEN = ' '

/** A column, with some of what stands in it: names alone say little. */
function optionOf({ name, values }: { name: string; values: readonly string[] }): { value: string; label: string } {
  const shown = values.slice(0, SHOWN_VALUES).join(' · ')
  return { value: name, label: shown === '' ? name : `${name} (${shown}${values.length > SHOWN_VALUES ? ' …' : ''})` }
}

function lookOf({ session }: Model): Parameters<typeof ticketFile>[0] {
  return (file, onProgress) =>
    upload(
      file,
      (request, send) =>
        session.client.POST('/v1/admin/import/kinds', {
          ...request,
          body: request.body as never,
          fetch: (sent) => session.boxFetch(sent, undefined, send),
        }),
      onProgress,
    )
}
