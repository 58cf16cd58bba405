/** The control room's steps on an incident. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import type { Field } from '../../widgets/forms.ts'
import { liveWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { type Action, meanwhile, teamsIn } from './steps.ts'

const say = liveWords.incidents

/** Asks for what the step needs, and takes it on the incident as it was looked at. */
export function actOn(model: Model, incident: Incident, action: Action): Promise<boolean> {
  const { act, askAndAct, live } = model
  const name = say.named(words.incidentKinds[incident.kind] ?? incident.kind, incident.gate_name)
  // The version that was seen last: after a conflict, the next press is about the incident as the conflict showed it.
  const seen = { version: incident.version }
  const send = (actor: string, more: { reason?: string; assignee?: string } = {}) =>
    takeStep(model, incident.incident_id, { action, actor, ...more }, seen)
  if (action === 'acknowledge') return act((actor) => send(actor).then(() => say.done.acknowledge(name)))

  const reason: Field = { name: 'reason', label: say.fields.reason, kind: 'lines', required: action === 'cancel' }
  const assignee: Field = {
    name: 'assignee',
    label: say.fields.assignee,
    required: true,
    suggestions: teamsIn(live.incidents.value),
  }
  return askAndAct(
    {
      title: say.ask[action](name),
      fields: action === 'assign' ? [assignee] : [action === 'cancel' ? reason : { ...reason, label: say.fields.done }],
      submit: say.actions[action],
      danger: action === 'cancel',
    },
    async (values, actor) => {
      const typed = { reason: values.reason?.trim(), assignee: values.assignee?.trim() }
      await send(actor, {
        ...(typed.reason && { reason: typed.reason }),
        ...(action === 'assign' && typed.assignee && { assignee: typed.assignee }),
      })
      return say.done[action](name)
    },
  )
}

interface Step {
  action: Action
  actor: string
  reason?: string
  assignee?: string
}

async function takeStep(model: Model, id: string, step: Step, seen: { version: number }): Promise<void> {
  const { client } = model.session
  const { takeIncident } = model.live
  const params = { path: { id } }
  try {
    const body = { ...step, version: seen.version }
    takeIncident(await answered(client.POST('/v1/admin/incidents/{id}', { params, body })))
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'conflict') throw error
    const board = await answered(client.GET('/v1/admin/incidents'))
    const now = board.incidents.find(({ incident_id }) => incident_id === id)
    if (!now) throw error
    takeIncident(now)
    const said = meanwhile(now, seen.version)
    seen.version = now.version
    throw new Refused('conflict', error.status, said)
  }
}
