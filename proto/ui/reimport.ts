/**
 * A script that is loaded when it is needed, by a phone whose network comes and goes. A browser remembers for as long as the page
 * is open that a script did not arrive, and fails the second `import()` of it without asking
 * (https://github.com/whatwg/html/issues/6768). It goes by the address: so it is asked for again under another one.
 */

/** @param load one `import()` and nothing else @returns the same, and worth calling again when it has failed */
export function reimporting<M>(load: () => Promise<M>): () => Promise<M> {
  let failed: string | undefined
  let tries = 0
  return async () => {
    try {
      return await (failed === undefined
        ? load()
        : (import(/* @vite-ignore */ `${failed}?again=${++tries}`) as Promise<M>))
    } catch (error) {
      // Chromium and Firefox name the address. Safari does not, and asks again by itself.
      failed ??= /\w+:\/\/[^\s?]+/.exec(String(error))?.[0]
      throw error
    }
  }
}
