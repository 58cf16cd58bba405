import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SEVERITIES } from '../wire/attendee.ts'
import { PSEUDO, type Pseudo } from './language.ts'
import { pseudo } from './pseudo.ts'

const ROOT = join(import.meta.dirname, '../..')
const APPS = ['scanner-pwa', 'wallet-pwa', 'dashboard']

/** Every string of a value, with the way to it; of a function, what it says of made-up values where it takes them. */
function* sentences(said: unknown, path: string): Generator<[string, string]> {
  if (typeof said === 'string') yield [path, said]
  else if (typeof said === 'object' && said !== null)
    for (const [key, one] of Object.entries(said)) yield* sentences(one, `${path}.${key}`)
}

test('every sentence of the three apps is longer, accented and in brackets; what a program reads stays as it is', async () => {
  for (const app of APPS) {
    for (const file of readdirSync(join(ROOT, app, 'src/words/en'))) {
      const english = await import(join(ROOT, app, 'src/words/en', file))
      for (const [tag, direction] of Object.entries(PSEUDO) as [Pseudo, 'ltr' | 'rtl'][]) {
        const plain = new Map(sentences({ ...english }, file))
        for (const [path, text] of sentences(pseudo({ ...english }, direction), file)) {
          const before = plain.get(path) ?? ''
          if (/\.(severity|locale|command)$/.test(path)) assert.equal(text, before, `${app} ${path}`)
          else if (before !== '') {
            assert.match(text, /^\u202e?\[.*\]\u202c?$/s, `${tag} ${app} ${path}`)
            // But for the places of values.
            assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[a-zA-Z]/, `${tag} ${app} ${path}`)
            assert.ok(text.length >= before.length * 1.4, `${tag} ${app} ${path}`)
          }
        }
      }
    }
  }
})

test('a template of an announcement keeps its severity, and times keep their locale', async () => {
  const { actionWords } = pseudo({ ...(await import('../../dashboard/src/words/en/late.ts')) }, 'rtl')
  for (const { severity } of actionWords.announce.templates)
    assert.ok((SEVERITIES as readonly string[]).includes(severity))
  const { speech } = pseudo({ ...(await import('../../dashboard/src/words/en/first.ts')) }, 'ltr')
  assert.match(speech.number(1234), /^\[1,234 .*\]$/)
  assert.doesNotThrow(() => new Intl.DateTimeFormat(speech.locale))
})

test('a name within a sentence is data and stays as it is, whatever is in it', () => {
  const { held, plain } = pseudo(
    { held: (gate: string, at: string) => `${gate} is held since ${at}`, plain: 'Held' },
    'ltr',
  )
  assert.match(held('Gate (A|B) [x', '12:00'), /^\[Gate \(A\|B\) \[x .*12:00.*\]$/)
  assert.doesNotMatch(held('North', '12:00'), /held|since/)
  assert.ok(held('North', '12:00').includes('North'))
  assert.match(plain, /^\[Ħḗŀḓ/)
})

test('a sentence between two others is changed, and one that says only another is not changed twice', () => {
  const { number, range, same } = pseudo(
    {
      number: (n: number) => String(n),
      range: (from: string, to: string) => `${from} to ${to}`,
      same: (text: string) => text,
    },
    'rtl',
  )
  assert.doesNotMatch(range(number(41), number(97)), /[a-z]/)
  assert.equal(same(range('1', '2')), range('1', '2'))
})
