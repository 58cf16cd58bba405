import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transformWithOxc } from 'vite'
import { APPS, type AppName, appConfig } from './apps.ts'
import { TARGET, tooNew } from './oldest.ts'

test('a call that an oldest browser lacks is named, with the browsers that lack it', () => {
  assert.deepEqual(tooNew('a=URL.parse(b)'), ['URL.parse( is too new for chrome, firefox, safari'])
  assert.deepEqual(tooNew('const {promise}=Promise.withResolvers()'), ['Promise.withResolvers( is too new for chrome'])
  assert.deepEqual(tooNew('p{color:light-dark(#000,#fff)}'), ['light-dark( is too new for chrome, safari'])
})

test('each app is built for the oldest browsers, and for no others', async () => {
  assert.deepEqual(TARGET, ['chrome117', 'firefox124', 'safari17.4'])
  for (const name of Object.keys(APPS) as AppName[]) assert.deepEqual(appConfig(name).build?.target, TARGET, name)
  // Syntax that they have stays, and syntax that they lack is rewritten.
  const { code } = await transformWithOxc('using a = b(); class C { static { c?.d.at(-1) } }', 'x.js', {
    target: TARGET,
  })
  assert.doesNotMatch(code, /\busing /)
  assert.match(code, /c\?\.d/)
})

test('what all of them have is fine', () => {
  assert.deepEqual(tooNew('AbortSignal.any([a,b]);Object.groupBy(c,d);e.at(-1)'), [])
})
