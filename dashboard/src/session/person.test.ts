import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basic } from './by-name.ts'
import { isUnconfirmed } from './confirm.ts'
import { cleanRole } from './person.ts'

test('a name and a PIN of any letters are sent as the box reads them', () => {
  const [, base64 = ''] = basic(' Otto Pérez ', '☂pin:1').split(' ')
  assert.equal(Buffer.from(base64, 'base64').toString(), 'Otto Pérez:☂pin:1')
})

test('a stored role that is none is worth nothing', () => {
  assert.equal(cleanRole('desk'), 'desk')
  for (const text of ['', 'root', 'toString', 'ADMIN']) assert.equal(cleanRole(text), null)
})

test('only an answer that asks for the PIN is taken for one, and its body stays readable', async () => {
  const answer = (status: number, body: string) => new Response(body, { status })
  const asks = answer(403, '{"code":"confirm_needed","message":"x"}')
  assert.ok(await isUnconfirmed(asks))
  assert.equal((await asks.json()).code, 'confirm_needed')
  for (const [status, body] of [
    [403, '{"code":"not_allowed"}'],
    [200, '{"code":"confirm_needed"}'],
    [403, 'null'],
    [403, 'Forbidden'],
  ] as const)
    assert.ok(!(await isUnconfirmed(answer(status, body))))
})
