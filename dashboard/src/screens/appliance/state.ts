/** The machine as the box last described it. */
import type { Appliance, UpdateState } from '@gatehouse/proto/wire/appliance.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { answered, sentenceOf } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { isBusy } from './busy.ts'
import { behind } from './clock.ts'

export interface Watched {
  machine: ReadonlySignal<Appliance | null>
  /** Null as long as it is not known, and where there is none. */
  update: ReadonlySignal<UpdateState | null>
  /** Lag of the box's clock behind this device's, in ms. */
  behindMs: ReadonlySignal<number>
  /** Reason for which nothing newer is known. */
  problem: ReadonlySignal<string | null>
  read: () => Promise<void>
  /** Reads it again and again, until the function that it returns is called. */
  start: () => () => void
}

const OFTEN_MS = 1_000
const SELDOM_MS = 5_000

export function watched({ client }: Session): Watched {
  const machine = signal<Appliance | null>(null)
  const update = signal<UpdateState | null>(null)
  const behindMs = signal(0)
  const problem = signal<string | null>(null)

  const read = async () => {
    try {
      const asked = Date.now()
      const heard = await answered(client.GET('/v1/admin/appliance'))
      behindMs.value = behind({ asked, answered: Date.now(), box: heard.now })
      machine.value = heard
      if (heard.appliance) update.value = await answered(client.GET('/v1/admin/update'))
      problem.value = null
    } catch (error) {
      // A machine that restarts does not answer, and comes back.
      problem.value = sentenceOf(error)
    }
  }

  const start = () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopped = false
    const turn = async () => {
      await read()
      if (!stopped) timer = setTimeout(() => void turn(), isBusy(update.value, machine.value) ? OFTEN_MS : SELDOM_MS)
    }
    void turn()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }
  return { machine, update, behindMs, problem, read, start }
}
