/** A ticket that was found: how it stands, what happened to it, and the three things that can be done. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { addressOf } from '../log/filters.ts'
import { Note, Panel } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { type HistoryRow, refIn, stateOf } from './history.ts'
import type { Found } from './tickets.tsx'

const say = words.tickets

type Action = 'revoke' | 'reinstate' | 'release'

interface TicketProps {
  model: Model
  found: Found
  rows: readonly HistoryRow[]
  /** Reads the ticket anew. */
  again: () => Promise<void>
}

export function Ticket({ model, found, rows, again }: TicketProps): JSX.Element {
  const ref = refIn(rows) ?? found.code
  return (
    <>
      <Summary model={model} found={found} rows={rows} ticket={ref} again={again} />
      <History rows={rows} />
      <Proof found={found} proven={rows.length} ticket={ref} />
    </>
  )
}

function Summary({ model, found, rows, ticket, again }: TicketProps & { ticket: string }): JSX.Element {
  const state = stateOf(rows)
  const doing = useOnce(async (what: Action, code: string, then: () => Promise<void>) => {
    if (await ask(model, what, code)) void then()
  })
  const run = (what: Action) => void doing.run(what, ticket, again)
  return (
    <Panel title={say.of(ticket)}>
      <ul class="tickets-states">
        <State on={found.attendance.attended} tone="good" yes={say.attended} no={say.notAttended} />
        <State on={state.revoked} tone="bad" yes={say.revoked} no={say.notRevoked} />
        <State on={state.claimed} tone="good" yes={say.claimed} no={say.notClaimed} />
      </ul>
      <p class="quiet">{say.shop}</p>
      <div class="part-row">
        {state.revoked ? (
          <button type="button" class="part-main" onClick={() => run('reinstate')}>
            {say.reinstate}
          </button>
        ) : (
          <button type="button" class="danger part-main" onClick={() => run('revoke')}>
            {say.revoke}
          </button>
        )}
        {state.claimed && (
          <button type="button" class="part-main" onClick={() => run('release')}>
            {say.release}
          </button>
        )}
        {rows.length > 0 && (
          <a class="button part-main" href={addressOf({ ticket })}>
            {words.flags.openLog}
          </a>
        )}
      </div>
    </Panel>
  )
}

function History({ rows }: { rows: readonly HistoryRow[] }): JSX.Element {
  return (
    <Panel title={say.history}>
      {rows.length === 0 ? (
        <p class="quiet">{say.historyEmpty}</p>
      ) : (
        <ol class="tickets-history" aria-label={say.history}>
          {rows.map((row) => (
            <li key={row.proven.index}>
              <span aria-hidden="true">{row.passage === 'in' ? '→' : row.passage === 'out' ? '←' : '·'}</span>
              <div>
                <p>{row.text}</p>
                <p class="quiet">{words.time.at(row.at)}</p>
              </div>
              <details class="part-more">
                <summary>{say.entry(row.proven.index)}</summary>
                <p class="quiet">{say.siblings(row.proven.proof.length)}</p>
                <code class="part-code">{row.raw}</code>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** The result of this browser's check of the box's proof, and the proof as a file. */
function Proof({ found, proven, ticket }: { found: Found; proven: number; ticket: string }): JSX.Element {
  const { attendance, proof } = found
  const size = attendance.entries[0]?.size ?? 0
  const save = () =>
    saveAs(new Blob([JSON.stringify(attendance)], { type: 'application/json' }), `ticket-${ticket}.json`)
  return (
    <Panel title={say.proof}>
      <div role="status">
        {proof === 'checking' && <p class="quiet">{say.checking}</p>}
        {proof === 'holds' && <Note tone="good">{proven === 0 ? say.provenEmpty : say.proven(proven, size)}</Note>}
        {proof === 'does not hold' && <Note tone="bad">{say.unproven}</Note>}
      </div>
      <details class="part-more">
        <summary>{say.seal}</summary>
        <code class="part-code">{attendance.checkpoint}</code>
      </details>
      <div class="part-row">
        <button type="button" onClick={save}>
          {say.save}
        </button>
      </div>
    </Panel>
  )
}

function State({ on, tone, yes, no }: { on: boolean; tone: 'good' | 'bad'; yes: string; no: string }): JSX.Element {
  return <li class={`tag ${on ? tone : 'quiet'}`}>{on ? yes : no}</li>
}

async function ask({ askAndAct, session: { client } }: Model, what: Action, id: string): Promise<boolean> {
  const asked = {
    revoke: { title: say.revokeTitle, text: say.revokeText, submit: say.revoke, suggestions: say.revokeSuggestions },
    reinstate: {
      title: say.reinstateTitle,
      text: say.reinstateText,
      submit: say.reinstate,
      suggestions: say.reinstateSuggestions,
    },
    release: {
      title: say.releaseTitle,
      text: say.releaseText,
      submit: say.release,
      suggestions: say.releaseSuggestions,
    },
  }[what]
  const { suggestions, ...form } = asked
  return askAndAct(
    {
      ...form,
      danger: what !== 'reinstate',
      fields: [{ name: 'reason', label: words.reason, required: true, suggestions }],
    },
    async ({ reason = '' }, actor) => {
      const request = { params: { path: { id } }, body: { actor, reason: reason.trim() } }
      switch (what) {
        case 'revoke':
          await answered(client.POST('/v1/admin/tickets/{id}/revoke', request))
          return say.revokedNow
        case 'reinstate': {
          const { status } = await answered(client.POST('/v1/admin/tickets/{id}/reinstate', request))
          return say.reinstated[status]
        }
        case 'release':
          await answered(client.POST('/v1/admin/tickets/{id}/release', request))
          return say.released
      }
    },
  )
}
