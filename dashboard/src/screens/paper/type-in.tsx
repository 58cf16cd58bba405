/** Form for the ticked codes of a sheet: they are checked first, then recorded. */
import type { PaperAnswer, PaperLine } from '@gatehouse/proto/wire/paper.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { actionWords as shared, salesWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { Panel, Run, Said, Select } from '../parts/parts.tsx'
import { codesIn, fieldOf, timeIn } from './typed.ts'

const say = words.paper
const HOUR = 3_600_000

function useSheet() {
  return {
    sheet: useSignal(''),
    checkpoint: useSignal(''),
    from: useSignal(fieldOf(Date.now() - HOUR)),
    until: useSignal(fieldOf(Date.now())),
    codes: useSignal(''),
  }
}

/** The box's answer about the sheet, and the two things to do with it. */
function useTyping(typed: ReturnType<typeof useSheet>, session: Model['session']) {
  const answer = useSignal<PaperAnswer | null>(null)
  /** One for each sheet: whatever is pressed twice is the same. */
  const paperId = useSignal<string>(crypto.randomUUID())
  const send = async (dry_run: boolean) => {
    const body = { ...requestOf(typed), paper_id: paperId.value, dry_run, actor: await session.withActor() }
    answer.value = await answered(session.client.POST('/v1/admin/paper/admissions', { body }))
    if (answer.value.recorded) paperId.value = crypto.randomUUID()
  }
  return { answer, checking: useAttempt(() => send(true)), recording: useAttempt(() => send(false)) }
}

export function TypePanel({ live, session }: Model): JSX.Element {
  const typed = useSheet()
  const { answer, checking, recording } = useTyping(typed, session)
  /** Drops the answer: another text is typed than was checked. */
  const edit = (field: Signal<string>) => (value: string) => {
    field.value = value
    answer.value = null
  }
  const entrances = (live.stats.value?.gates ?? []).flatMap((gate) =>
    gate.checkpoints
      .filter(({ direction }) => direction === 'in')
      .map(({ id, name }) => ({ value: id, label: name === gate.name ? name : `${gate.name}, ${name}` })),
  )
  const { value } = answer
  const mayRecord = value !== null && !value.recorded && value.problems === 0 && value.people > 0
  return (
    <Panel title={say.type} lead={say.typeLead}>
      <form
        class="part-form"
        onSubmit={(event) => {
          event.preventDefault()
          void checking.run()
        }}
      >
        <Entry label={say.sheet} value={typed.sheet.value} set={edit(typed.sheet)} />
        <Select
          label={say.entrance}
          options={[{ value: '', label: say.noEntrance }, ...entrances]}
          value={typed.checkpoint.value}
          set={edit(typed.checkpoint)}
        />
        <Entry label={say.from} isTime value={typed.from.value} set={edit(typed.from)} />
        <Entry label={say.until} isTime value={typed.until.value} set={edit(typed.until)} />
        <CodesField value={typed.codes.value} set={edit(typed.codes)} />
        <div class="part-row">
          <button type="submit" class={mayRecord ? 'part-main' : 'primary part-main'} aria-busy={checking.busy.value}>
            {say.check}
          </button>
          {mayRecord && (
            <Run work={recording} class="primary part-main">
              {say.record(value.people)}
            </Run>
          )}
        </div>
      </form>
      <Said good={goodOf(value)} bad={checking.problem.value ?? recording.problem.value ?? badOf(value)} />
      {value && (
        <Table
          caption={say.codes}
          columns={COLUMNS}
          rows={value.lines}
          keyOf={({ line }) => String(line)}
          toneOf={toneOf}
          empty={say.noCodes}
        />
      )}
    </Panel>
  )
}

/** @throws Refused for a form that is not filled in */
function requestOf({ sheet, checkpoint, from, until, codes }: ReturnType<typeof useSheet>) {
  const times = { from: timeIn(from.value), until: timeIn(until.value) }
  const list = codesIn(codes.value)
  const missing =
    checkpoint.value === ''
      ? say.noEntrance
      : times.from === null || times.until === null
        ? say.noTimes
        : list.length === 0
          ? say.noCodes
          : null
  if (missing !== null) throw new Refused('bad_request', 0, missing)
  return {
    sheet: sheet.value.trim() || '-',
    checkpoint: checkpoint.value,
    from: times.from ?? '',
    until: times.until ?? '',
    codes: list,
  }
}

const COLUMNS: readonly Column<PaperLine>[] = [
  { name: say.column.code, cell: ({ typed }) => <code>{typed}</code>, header: true },
  { name: say.column.name, cell: ({ name }) => name ?? '' },
  { name: say.column.ticket, cell: ({ tier_name }) => tier_name ?? '' },
  { name: say.column.state, cell: stateOf },
]

function stateOf({ problem, problem_coded, same_as, known, verdict, flag }: PaperLine): string {
  if (problem !== null) return saidBy('paper', problem_coded, problem)
  if (same_as !== null) return say.sameAs(same_as)
  if (verdict !== null) return flag === null ? shared.verdict(verdict) : `${shared.verdict(verdict)}, ${say.flagged}`
  return known ? say.known : say.right
}

function toneOf({ problem, flag }: PaperLine): 'bad' | 'warn' | undefined {
  return problem !== null ? 'bad' : flag !== null ? 'warn' : undefined
}

function goodOf(answer: PaperAnswer | null): string | null {
  if (!answer || answer.problems > 0) return null
  return answer.recorded ? say.done(answer.people, answer.flags) : say.fine(answer.people)
}

function badOf(answer: PaperAnswer | null): string | null {
  return answer && answer.problems > 0 ? say.bad(answer.problems) : null
}

interface EntryProps {
  label: string
  value: string
  set: (value: string) => void
}

function Entry({ label, value, set, isTime = false }: EntryProps & { isTime?: boolean }): JSX.Element {
  const id = useId()
  const onInput = (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value)
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      {isTime ? (
        <input id={id} type="datetime-local" value={value} onInput={onInput} />
      ) : (
        <input id={id} type="text" value={value} autocomplete="off" spellcheck={false} onInput={onInput} />
      )}
    </div>
  )
}

function CodesField({ value, set }: Pick<EntryProps, 'value' | 'set'>): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.codes}</label>
      <textarea
        id={id}
        rows={8}
        value={value}
        aria-describedby={`${id}-hint`}
        autocapitalize="characters"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <p class="quiet" id={`${id}-hint`}>
        {say.codesHint}
      </p>
    </div>
  )
}
