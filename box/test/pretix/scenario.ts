/** Scenarios of `npm run test:pretix`: each gets the same real pretix, and sells what it needs itself. */
import type { RealPretix } from './real.ts'

export interface Scenario {
  /** In a sentence: what holds. */
  name: string
  /** True if it is part of the short form, which has three minutes with the start of pretix. */
  inShort: boolean
  /** @param say prints what was measured. @throws when it does not hold */
  run(given: { pretix: RealPretix; say: (line: string) => void }): Promise<void>
}
