/** Tells whether this box is the appliance: only then is there a screen for its machine. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { answered } from '../session/answered.ts'
import type { Session } from '../session/session.ts'

const AGAIN_MS = 10_000

export interface Machine {
  /** Number of its settings that were not used; null where there is no such machine, and before it is known. */
  problems: ReadonlySignal<number | null>
  /** Asks until the box has answered. Called by the shell, which lasts as long as the session. @returns what ends it */
  start(): () => void
}

export function createMachine({ client, token, may }: Session): Machine {
  const known = signal<number | null>(null)
  return {
    problems: known,
    start() {
      if (!may('appliance')) return () => undefined
      const asker = token.value
      let timer: ReturnType<typeof setTimeout> | undefined
      const read = async () => {
        try {
          const { appliance, problems } = await answered(client.GET('/v1/admin/appliance'))
          known.value = appliance && asker === token.value ? problems.length : null
        } catch {
          // A box that does not answer says so everywhere else on this page.
          if (asker === token.value) timer = setTimeout(() => void read(), AGAIN_MS)
        }
      }
      void read()
      return () => {
        clearTimeout(timer)
        known.value = null
      }
    },
  }
}
