/** One question, as its kind is answered on a phone. */
import type { AskedQuestion } from '@gatehouse/proto/wire/scan.ts'
import type { JSX, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import { askWords } from '../../words/core.ts'
import { choose, countries } from './form.ts'

const say = askWords.form

/** More than these are a list to choose from, or the form would be longer than the queue has patience. */
const MOST_RADIOS = 6

interface FieldProps {
  question: AskedQuestion
  answer: string
  /** Problem of the answer, in words. */
  problem: string | undefined
  set: (answer: string) => void
}

interface ControlProps extends FieldProps {
  /** Of the element that says what is wrong. */
  hint: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
}

export function Field(props: FieldProps): JSX.Element {
  const { question, problem } = props
  const id = useId()
  const wrong = `${id}-wrong`
  const Control = CONTROLS[question.kind]
  const hint = { id, ...(problem && { 'aria-describedby': wrong, 'aria-invalid': true as const }) }
  return (
    <div class="ask-field" data-question={question.id} data-wrong={problem !== undefined}>
      <Control {...props} hint={hint} />
      {problem && (
        <p id={wrong} class="bad">
          {problem}
        </p>
      )}
    </div>
  )
}

function Text({ text, required, kind }: AskedQuestion): JSX.Element {
  return (
    <>
      {text}
      {!required && kind !== 'not_askable' && <span class="hint">{say.optional}</span>}
    </>
  )
}

interface Shared extends NonNullable<ControlProps['hint']> {
  value: string
  maxLength: number
  autocomplete: 'off'
  onInput: (event: TargetedInputEvent<HTMLInputElement>) => void
}

function typed(draw: (shared: Shared) => JSX.Element): (props: ControlProps) => JSX.Element {
  return ({ question, answer, set, hint }) => (
    <>
      <label for={hint.id}>
        <Text {...question} />
      </label>
      {draw({
        ...hint,
        value: answer,
        maxLength: 1000,
        autocomplete: 'off',
        onInput: (event) => set(event.currentTarget.value),
      })}
    </>
  )
}

function Paragraph({ question, answer, set, hint }: ControlProps): JSX.Element {
  return (
    <>
      <label for={hint.id}>
        <Text {...question} />
      </label>
      <textarea
        {...hint}
        rows={3}
        value={answer}
        maxLength={1000}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </>
  )
}

interface Option {
  id: string
  text: string
}

function Select({ question, answer, set, hint, options }: ControlProps & { options: readonly Option[] }): JSX.Element {
  return (
    <>
      <label for={hint.id}>
        <Text {...question} />
      </label>
      <select {...hint} value={answer} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{say.choose}</option>
        {options.map(({ id, text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

interface TicksProps extends ControlProps {
  type: 'radio' | 'checkbox'
  options: readonly Option[]
  isChosen: (id: string) => boolean
  pick: (id: string, isChosen: boolean) => void
}

function Ticks({ question, hint, type, options, isChosen, pick }: TicksProps): JSX.Element {
  const { id, 'aria-describedby': describedBy } = hint
  return (
    <fieldset aria-describedby={describedBy}>
      <legend>
        <Text {...question} />
      </legend>
      {options.map((option) => (
        <label key={option.id} class="ask-option">
          <input
            type={type}
            name={id}
            checked={isChosen(option.id)}
            onChange={(event) => pick(option.id, event.currentTarget.checked)}
          />
          {option.text}
        </label>
      ))}
    </fieldset>
  )
}

function One(props: ControlProps & { options: readonly Option[] }): JSX.Element {
  const { answer, set } = props
  return <Ticks {...props} type="radio" isChosen={(id) => id === answer} pick={(id) => set(id)} />
}

function Choice(props: ControlProps): JSX.Element {
  const { options = [] } = props.question
  return options.length > MOST_RADIOS ? <Select {...props} options={options} /> : <One {...props} options={options} />
}

function Choices(props: ControlProps): JSX.Element {
  const { question, answer, set } = props
  const chosen = answer.split(',')
  const pick = (id: string, isChosen: boolean) => set(choose(answer, id, isChosen))
  const { options = [] } = question
  return <Ticks {...props} type="checkbox" options={options} isChosen={(id) => chosen.includes(id)} pick={pick} />
}

function YesNo(props: ControlProps): JSX.Element {
  const options = [
    { id: 'true', text: say.yes },
    { id: 'false', text: say.no },
  ]
  return <One {...props} options={options} />
}

function Country(props: ControlProps): JSX.Element {
  return <Select {...props} options={countries()} />
}

/** It is named, so that the crew knows what the shop wants to have, and where that is done. */
function NotAskable({ question }: ControlProps): JSX.Element {
  return (
    <p>
      <b>{question.text}</b> <span class="hint">{say.notAskable}</span>
    </p>
  )
}

const CONTROLS: Readonly<Record<AskedQuestion['kind'], (props: ControlProps) => JSX.Element>> = {
  text: typed((shared) => <input type="text" {...shared} />),
  paragraph: Paragraph,
  number: typed((shared) => <input type="text" inputMode="decimal" {...shared} />),
  yes_no: YesNo,
  choice: Choice,
  choices: Choices,
  date: typed((shared) => <input type="date" {...shared} />),
  time: typed((shared) => <input type="time" {...shared} />),
  datetime: typed((shared) => <input type="datetime-local" {...shared} />),
  country: Country,
  phone: typed((shared) => <input type="tel" {...shared} />),
  not_askable: NotAskable,
}
