/** Actions of the desk on a ticket: each says what follows from it before it is done. */
import type { DeskTicket } from '@gatehouse/proto/wire/desk.ts'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { answered, Refused } from '../../session/answered.ts'
import type { Field, Form } from '../../widgets/forms.ts'
import { deskWords as say, actionWords as words } from '../../words/late.ts'
import { Panel } from '../parts/parts.tsx'
import type { Shown, TicketProps } from './ticket.tsx'

interface ActionsProps extends TicketProps {
  shown: Signal<Shown | null>
}

/** Does it. @returns what is said when it is done */
type Work = (values: Readonly<Record<string, string>>, actor: string) => Promise<string>

export function Actions(props: ActionsProps): JSX.Element {
  const { model, desk, ticket } = props
  const ask = (form: Omit<Form, 'send' | 'actor'>, work: Work) => void model.askAndAct(form, orReadAgain(work, props))
  const did = (now: DeskTicket) => {
    desk.ticket.value = now
  }
  const work = worksOf(props, did)
  const { tickets } = words
  return (
    <Panel title={say.actions}>
      <div class="part-row desk-actions">
        <button type="button" class="part-main" onClick={() => ask({ ...forms.reissue, danger: true }, work.reissue)}>
          {say.reissue.button}
        </button>
        <button type="button" class="part-main" onClick={() => ask(holderForm(ticket), work.holder)}>
          {say.holder.button}
        </button>
        <button type="button" class="part-main" onClick={() => ask(noteForm(ticket), work.note)}>
          {say.edit.button}
        </button>
        {ticket.claimed_at !== null && (
          <button type="button" class="part-main" onClick={() => ask({ ...forms.release, danger: true }, work.release)}>
            {tickets.release}
          </button>
        )}
        {ticket.revoked_here ? (
          <button type="button" class="part-main" onClick={() => ask(forms.reinstate, work.reinstate)}>
            {tickets.reinstate}
          </button>
        ) : (
          <button
            type="button"
            class="danger part-main"
            onClick={() => ask({ ...forms.revoke, danger: true }, work.revoke)}
          >
            {tickets.revoke}
          </button>
        )}
        {!ticket.forgotten && (
          <button
            type="button"
            class="danger part-main"
            onClick={() => ask({ ...forms.forget, danger: true }, work.forget)}
          >
            {say.forget.button}
          </button>
        )}
      </div>
    </Panel>
  )
}

/** Requests, by action. */
function worksOf({ model: { session }, ticket, shown }: ActionsProps, did: (now: DeskTicket) => void) {
  const { client } = session
  const { version } = ticket
  const params = { path: { ref: ticket.ticket } }
  const bodyOf = ({ reason = '' }: Readonly<Record<string, string>>, actor: string) => ({
    params,
    body: { actor, reason: reason.trim(), version },
  })
  return {
    reissue: async (values, actor) => {
      const answer = await answered(client.POST('/v1/admin/desk/tickets/{ref}/reissue', bodyOf(values, actor)))
      shown.value = { link: answer.link, code: answer.code }
      did(answer.ticket)
      return say.reissue.done
    },
    holder: async ({ reason = '', holder = '' }, actor) => {
      const body = { actor, reason: reason.trim(), version, holder: holder.trim() || null }
      did(await answered(client.POST('/v1/admin/desk/tickets/{ref}/holder', { params, body })))
      return say.holder.done
    },
    note: async ({ note = '' }, actor) => {
      const body = { actor, version, note: note.trim() || null }
      did(await answered(client.POST('/v1/admin/desk/tickets/{ref}/note', { params, body })))
      return say.edit.done
    },
    release: async (values, actor) => {
      did(await answered(client.POST('/v1/admin/desk/tickets/{ref}/release', bodyOf(values, actor))))
      shown.value = null
      return say.confirm.release.done
    },
    revoke: async (values, actor) => {
      did(await answered(client.POST('/v1/admin/desk/tickets/{ref}/revoke', bodyOf(values, actor))))
      return say.confirm.revoke.done
    },
    reinstate: async (values, actor) => {
      const now = await answered(client.POST('/v1/admin/desk/tickets/{ref}/reinstate', bodyOf(values, actor)))
      did(now)
      return say.reinstated[now.state]
    },
    forget: async (_values, actor) => {
      did(await answered(client.POST('/v1/admin/desk/tickets/{ref}/forget', { params, body: { actor, version } })))
      return say.forget.done
    },
  } satisfies Record<string, Work>
}

/** Somebody else has changed the ticket: the dialog says what they did, and behind it the ticket is read again. */
function orReadAgain(work: Work, { desk, ticket }: ActionsProps): Work {
  return async (values, actor) => {
    try {
      return await work(values, actor)
    } catch (error) {
      if (error instanceof Refused && error.code === 'conflict') void desk.opening.run(ticket.ticket)
      throw error
    }
  }
}

const reason = (suggestions: readonly string[]): Field => ({
  name: 'reason',
  label: words.reason,
  required: true,
  suggestions,
})

const { tickets } = words
const forms = {
  reissue: {
    title: say.reissue.title,
    text: say.reissue.text,
    submit: say.reissue.button,
    fields: [reason(say.reissue.suggestions)],
  },
  forget: { title: say.forget.title, text: say.forget.text, submit: say.forget.button, fields: [] },
  revoke: {
    title: tickets.revokeTitle,
    text: tickets.revokeText,
    submit: tickets.revoke,
    fields: [reason(tickets.revokeSuggestions)],
  },
  reinstate: {
    title: tickets.reinstateTitle,
    text: tickets.reinstateText,
    submit: tickets.reinstate,
    fields: [reason(tickets.reinstateSuggestions)],
  },
  release: {
    title: tickets.releaseTitle,
    text: tickets.releaseText,
    submit: tickets.release,
    fields: [reason(tickets.releaseSuggestions)],
  },
} satisfies Record<string, Form>

function holderForm({ holder }: DeskTicket): Form {
  const { title, text, label, hint, suggestions, button } = say.holder
  const name: Field = { name: 'holder', label, hint, value: holder ?? '', maxLength: 200 }
  return { title, text, submit: button, fields: [name, reason(suggestions)] }
}

function noteForm({ note }: DeskTicket): Form {
  const { title, text, hint, submit } = say.edit
  return { title, text, submit, fields: [{ name: 'note', label: say.note, kind: 'lines', hint, value: note ?? '' }] }
}
