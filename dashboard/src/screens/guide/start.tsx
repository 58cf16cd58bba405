/** The beginning of an event of its own: a name, and the shop's file where there is one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { FileField } from '../../widgets/file-field.tsx'
import { guideWords } from '../../words/late.ts'
import { Panel, Said, Select } from '../parts/parts.tsx'
import { blankEvent, type Json } from './draft.ts'
import { Text } from './fields.tsx'
import { readTicketFile, type TicketFile } from './ticket-file.ts'

const say = guideWords.start
/** Kinds of tickets are in the first rows; a browser need not read a hundred megabytes for them. */
const READ_BYTES = 16 * 1024 * 1024

interface Chosen {
  file: File
  text: string
  read: TicketFile
}

export function Start({ begin }: { begin: (event: Json) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const name = useSignal('')
  const fault = useSignal<string | null>(null)
  const chosen = useSignal<Chosen | null>(null)
  const choose = async (file: File | null) => {
    chosen.value = null
    fault.value = null
    if (!file) return
    const text = await file.slice(0, READ_BYTES).text()
    // A workbook, or another file that is no text.
    if (text.includes('\0')) fault.value = say.unreadable
    else chosen.value = { file, text, read: readTicketFile(text) }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (name.value.trim() === '') fault.value = say.noName
    else {
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
      const tiers = chosen.value?.read.tiers ?? []
      begin(blankEvent({ name: name.value.trim(), timezone, tiers, now: Date.now(), words: guideWords.blank }))
    }
  }
  const { value } = chosen
  return (
    <Panel title={say.title} lead={say.lead}>
      <form class="part-form" onSubmit={submit}>
        <Text label={say.name} value={name.value} set={(text) => (name.value = text)} />
        <FileField
          field={field}
          label={say.file}
          accept=".csv,.tsv,.txt,text/csv"
          hint={say.fileHint}
          file={value?.file ?? null}
          disabled={false}
          choose={(file) => void choose(file)}
        />
        {value && <Kinds chosen={value} set={(read) => (chosen.value = { ...value, read })} />}
        <Said bad={fault.value} />
        <div class="part-row">
          <button type="submit" class="primary part-main">
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

/** What the file says of kinds; or the question which of its columns says it. */
function Kinds({ chosen: { text, read }, set }: { chosen: Chosen; set: (read: TicketFile) => void }): JSX.Element {
  const column = useSignal('')
  const isAsked = useSignal(read.tiers.length === 0)
  return (
    <>
      {isAsked.value && (
        <Select
          label={say.column}
          value={column.value}
          set={(name) => {
            column.value = name
            set(name === '' ? { ...read, tiers: [] } : readTicketFile(text, name))
          }}
          options={[
            { value: '', label: say.noColumn },
            ...read.header.filter((name) => name !== '').map((name) => ({ value: name, label: name })),
          ]}
        />
      )}
      {read.tiers.length > 0 && <p>{say.found(read.tiers.length)}</p>}
    </>
  )
}
