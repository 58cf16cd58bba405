/** Closes what was opened, in reverse: AsyncDisposableStack, which the browsers of many phones do not have yet. */
export class Closing {
  readonly #steps: (() => unknown)[] = []

  use<T extends { close: () => unknown }>(opened: T): T {
    this.#steps.push(() => opened.close())
    return opened
  }

  defer(step: () => unknown): void {
    this.#steps.push(step)
  }

  /** Every step is taken, also after one that fails; the first failure is thrown in the end. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step()
      } catch (failure) {
        failures.push(failure)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
