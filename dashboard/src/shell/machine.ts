/** Whether this box is the appliance: only then is there a screen for its machine. Asked once for each token. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { answered } from '../session/answered.ts'
import { client, token } from '../session/session.ts'

const AGAIN_MS = 10_000

const problemsNow = signal<number | null>(null)

/** How many of its settings were not used; null where there is no such machine, and before it is known. */
export const machineProblems: ReadonlySignal<number | null> = problemsNow

/** Called once, by the shell, which is there as long as somebody is signed in. */
export function askForMachine(): () => void {
  const asker = token.value
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = async () => {
    try {
      const { appliance, problems } = await answered(client.GET('/v1/admin/appliance'))
      problemsNow.value = appliance && asker === token.value ? problems.length : null
    } catch {
      // A box that does not answer says so everywhere else on this page.
      if (asker === token.value) timer = setTimeout(() => void read(), AGAIN_MS)
    }
  }
  void read()
  return () => {
    clearTimeout(timer)
    problemsNow.value = null
  }
}
