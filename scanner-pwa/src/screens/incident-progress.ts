/** Progress of a report, in words for the person who waits for help. Pure. */
import type { IncidentState } from '../gate/model.ts'
import { speech, words } from '../words/words.ts'

const say = words.incidents

export interface Progress {
  /** `alert`: nobody knows of it, and somebody has to use the radio. */
  tone: 'alert' | 'plain' | 'info' | 'good'
  /** The state in a few words. */
  title: string
  /** The next step; empty where the title says it all. */
  text: string
}

export function progressOf({ progress, incident, refusal }: IncidentState): Progress {
  if (refusal !== undefined) return { tone: 'alert', title: say.notSent, text: say.refused(refusal) }
  switch (progress) {
    case 'sending':
      return { tone: 'plain', title: say.sending, text: '' }
    case 'unsent':
      return { tone: 'alert', title: say.notSent, text: say.notSentText }
    case 'received':
      return { tone: 'info', title: say.received, text: say.receivedText }
    case 'seen':
      return { tone: 'good', title: incident ? response(incident) : say.seen, text: '' }
  }
}

/** The control room's response, in one line. */
export function response({ state, assignee, actions }: NonNullable<IncidentState['incident']>): string {
  const last = actions.at(-1)
  // The box's own word for it, and not one that somebody has typed.
  const reason = last?.reason_coded?.code === 'withdrawn' ? say.withdrawn : last?.reason && say.reason(last.reason)
  return [say.state(state, assignee, last?.actor), reason].filter(Boolean).join(' ')
}

/** An arrival this much later than the press is told apart from it, ms. */
const LATE_MS = 60_000

/** Place and time: of the press, and of the arrival at the box where it came later. */
export function placeAndTime({ at, incident }: IncidentState): string {
  const arrived = Date.parse(incident?.reported_at ?? '')
  return [
    incident?.gate_name,
    arrived - at >= LATE_MS ? say.pressedAndReceived(speech.clock(at), speech.clock(arrived)) : speech.clock(at),
  ]
    .filter(Boolean)
    .join(', ')
}

/** This device's reports, what others have reported at this gate, and emergencies at other gates. */
export function sorted(all: readonly IncidentState[], deviceId: string, gate: string | undefined) {
  const others = all.filter((one) => !isOwn(one, deviceId))
  return {
    own: all.filter((one) => isOwn(one, deviceId)),
    here: others.filter(({ incident }) => incident?.gate === gate),
    elsewhere: others.filter(({ incident }) => incident?.gate !== gate),
  }
}

/** This device's report of a kind that no box has yet: another press means that one, and is no second call. */
export function waitingOf(kind: IncidentState['kind'], all: readonly IncidentState[]): IncidentState | undefined {
  return all.find((one) => one.kind === kind && one.incident === null && one.refusal === undefined)
}

export function isOwn({ incident }: IncidentState, deviceId: string): boolean {
  return incident === null || incident.reported_by === deviceId
}
