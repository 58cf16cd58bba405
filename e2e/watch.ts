/**
 * Watches for faults that no test of an app may pass over: an error on the console (a violation of the content security policy
 * is one), an exception that nobody caught, and a request that leaves the box.
 */
import type { BrowserContext } from '@playwright/test'

/** Chromium's message for every request without an answer: the test has stopped the box. */
const NO_ANSWER =
  /net::ERR_(CONNECTION|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|INTERNET_DISCONNECTED|NETWORK_CHANGED|FAILED|SOCKET)/

export class Watch {
  readonly faults: string[] = []
  #expected: RegExp[] = []

  /** Expects a message that the test causes itself, so that it counts as no fault of the app. */
  expect(...messages: readonly RegExp[]): void {
    this.#expected.push(...messages)
  }

  /** The test takes the box away. */
  expectOutage(): void {
    this.expect(NO_ANSWER)
  }

  /** @param origins where the box serves */
  over(context: BrowserContext, origins: readonly string[]): void {
    const note = (fault: string) => {
      if (!this.#expected.some((expected) => expected.test(fault))) this.faults.push(fault)
    }
    context.on('console', (message) => {
      const { url } = message.location()
      if (message.type() === 'error') note(`console: ${message.text()} (${url})`)
    })
    context.on('weberror', (error) => note(`exception: ${error.error().stack ?? error.error().message}`))
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (!/^(data|blob|about):$/.test(protocol) && !origins.includes(origin)) note(`request to ${request.url()}`)
    })
  }
}
