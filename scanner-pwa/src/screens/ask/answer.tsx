/** The form of a ticket's questions. What was typed is kept in the tray: "Later" closes it, and the lane goes on. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner } from '../../gate/model.ts'
import { isAsking, type TrayItem } from '../../gate/tray.ts'
import { askWords } from '../../words/core.ts'
import { createAttempt } from '../attempt.ts'
import { Dialog } from '../dialog.tsx'
import { Problem } from '../problem.tsx'
import type { ScanFlow } from '../scan/flow.ts'
import { Field } from './field.tsx'
import { answersOf, problemsOf, shownQuestions } from './form.ts'

const say = askWords.form

interface AnswerProps {
  item: TrayItem
  scanner: Scanner
  flow: ScanFlow
}

export function AnswerDialog({ item, scanner, flow }: AnswerProps): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [isSent, setSent] = useState(false)
  const { scanId, questions, draft, verdict, waits } = item
  const problems = problemsOf(questions, draft)
  const close = () => flow.ask(null)
  const send = async (form: HTMLFormElement) => {
    setSent(true)
    const [wrong] = problems.keys()
    if (wrong !== undefined) {
      show(form, wrong)
      return
    }
    await attempt.run(async () => {
      const record = await scanner.answer(scanId, answersOf(questions, draft))
      if (record) flow.show(record)
      flow.ask(record && isAsking(record.verdict) ? { what: 'answers', scanId: record.scanId } : null)
    })
  }
  return (
    <Dialog title={say.title} closing={say.later} onClose={close}>
      <p>{[verdict.holder, verdict.product ?? verdict.tier_name, verdict.seat_label].filter(Boolean).join(' · ')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget)
        }}
      >
        {shownQuestions(questions, draft).map((question) => (
          <Field
            key={question.id}
            question={question}
            answer={draft[question.id] ?? ''}
            problem={problemOf(question.id)}
            set={(answer) => scanner.draft(scanId, { ...draft, [question.id]: answer })}
          />
        ))}
        <Problem text={attempt.problem.value} />
        <button type="submit" class="primary big" disabled={attempt.busy.value}>
          {waits ? say.submitWaits : say.submit}
        </button>
      </form>
    </Dialog>
  )

  /** Once it was sent: what this phone finds wrong, or what the box found. */
  function problemOf(id: string): string | undefined {
    const problem = isSent ? problems.get(id) : undefined
    return problem ? say.problems[problem] : questions.find((one) => one.id === id)?.problem
  }
}

/** On a small phone the question lies above what can be seen, and its answer is what is missing. */
function show(form: HTMLFormElement, question: string): void {
  const field = form.querySelector<HTMLElement>(`[data-question="${CSS.escape(question)}"]`)
  field?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  field?.scrollIntoView()
}
