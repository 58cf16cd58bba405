/** Modules of its own: another test of the process may have loaded the words, and here they do not come. */
import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

const OWN = '?unsaid'

test('where the words do not load, the refusal is said as the box has said it', async () => {
  let asked = 0
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const isOfOwn = context.parentURL?.endsWith(OWN)
      if (isOfOwn && specifier.endsWith('/de/late.ts')) {
        asked++
        throw new TypeError(`Failed to fetch dynamically imported module: ${specifier}`)
      }
      const found = next(specifier, context)
      return isOfOwn && /\/words\/\w+\.ts$/.test(found.url) ? { ...found, url: `${found.url}${OWN}` } : found
    },
  })
  const languages = Object.getOwnPropertyDescriptor(navigator, 'languages')
  Object.defineProperty(navigator, 'languages', { value: ['de'], configurable: true })
  try {
    const own = new URL(`answered.ts${OWN}`, import.meta.url).href
    const { refusalOf }: typeof import('./answered.ts') = await import(own)
    const body = { code: 'bad_request', message: 'Write the address with https.', reason: 'address_http' }
    const { code, status, message } = await refusalOf(400, body)
    assert.deepEqual({ code, status, message }, { code: 'bad_request', status: 400, message: body.message })
    assert.equal(asked, 1)
  } finally {
    hooks.deregister()
    Reflect.deleteProperty(navigator, 'languages')
    if (languages) Object.defineProperty(navigator, 'languages', languages)
  }
})
