import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tooNew } from './oldest.ts'

test('a call that an oldest browser lacks is named, with the browsers that lack it', () => {
  assert.deepEqual(tooNew('a=URL.parse(b)'), ['URL.parse( is too new for chrome, firefox, safari'])
  assert.deepEqual(tooNew('const {promise}=Promise.withResolvers()'), ['Promise.withResolvers( is too new for chrome'])
  assert.deepEqual(tooNew('p{color:light-dark(#000,#fff)}'), ['light-dark( is too new for chrome, safari'])
})

test('what all of them have is fine', () => {
  assert.deepEqual(tooNew('AbortSignal.any([a,b]);Object.groupBy(c,d);e.at(-1)'), [])
})
