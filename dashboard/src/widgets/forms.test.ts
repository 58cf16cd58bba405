import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, dismissForms, openForms } from './forms.ts'

const form = (title: string) => ({ title, fields: [], submit: 'Go' })

test('an answer goes to whoever asked, and the form beneath stays', async () => {
  const below = ask(form('below'))
  const above = ask(form('above'))
  openForms.value.at(-1)?.done({ name: 'Jo' })
  assert.deepEqual(await above, { name: 'Jo' })
  assert.deepEqual(
    openForms.value.map(({ title }) => title),
    ['below'],
  )
  openForms.value[0]?.done(null)
  assert.equal(await below, null)
})

test('signing out leaves no question on the screen', async () => {
  const asked = [ask(form('a')), ask(form('b'))]
  dismissForms()
  assert.deepEqual(await Promise.all(asked), [null, null])
  assert.deepEqual(openForms.value, [])
})
