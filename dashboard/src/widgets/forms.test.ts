import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createForms } from './forms.ts'

const form = (title: string) => ({ title, fields: [], submit: 'Go' })

test('an answer goes to whoever asked, and the form beneath stays', async () => {
  const { open, ask } = createForms()
  const below = ask(form('below'))
  const above = ask(form('above'))
  open.value.at(-1)?.done({ name: 'Jo' })
  assert.deepEqual(await above, { name: 'Jo' })
  assert.deepEqual(
    open.value.map(({ title }) => title),
    ['below'],
  )
  open.value[0]?.done(null)
  assert.equal(await below, null)
})

test('signing out leaves no question on the screen', async () => {
  const { open, ask, dismiss } = createForms()
  const asked = [ask(form('a')), ask(form('b'))]
  dismiss()
  assert.deepEqual(await Promise.all(asked), [null, null])
  assert.deepEqual(open.value, [])
})
