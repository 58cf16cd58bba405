import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileName } from '../../../../box/src/seal/export/routes.ts'
import { shadowed } from '../parts/page-parts.ts'
import { nameIn, receipt, receive } from './receive.ts'

const LINES = [
  '{"entries":2,"format":"gatehouse/export/v1","seals":1}',
  ...['{"at":"","note":"a\\nb"}', '{"index":0}', '{"index":1}', '{"report":1}', '{"note":"x"}'],
]
const WHOLE = `${LINES.join('\n')}\n`
const bytes = (text: string) => new TextEncoder().encode(text)

/** `text` in pieces that end at `cuts`. */
function cut(text: string, cuts: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const all = bytes(text)
  const at = [0, ...[...cuts].sort((a, b) => a - b), all.length]
  return at.slice(1).map((end, i) => all.slice(at[i], end))
}

test('an export is whole, however it comes in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(WHOLE.length)), (cuts) => {
      const { take, fraction, whole } = receipt()
      let last = 0
      for (const piece of cut(WHOLE, cuts)) {
        take(piece)
        assert.ok(fraction() >= last)
        last = fraction()
      }
      assert.ok(whole())
      assert.equal(last, 1)
    }),
  )
})

test('one that was cut short anywhere is not whole, nor is one with more behind it', () => {
  for (let length = 0; length < WHOLE.length; length += 1) {
    const { take, whole } = receipt()
    take(bytes(WHOLE.slice(0, length)))
    assert.equal(whole(), false, `cut at ${length}`)
  }
  for (const more of ['x', '\n']) {
    const { take, whole } = receipt()
    take(bytes(WHOLE + more))
    assert.equal(whole(), false)
  }
})

test('what is no export has no progress and is not whole', () => {
  for (const text of [
    '',
    '\n',
    '{}\n',
    '{"entries":"2","format":"gatehouse/export/v1","seals":1}\n',
    'null\n',
    '<html>\n',
  ]) {
    const { take, fraction, whole } = receipt()
    take(bytes(text))
    assert.deepEqual([fraction(), whole()], [0, false], text)
  }
})

test('the file that is saved is the one that came, and none that was cut short', async () => {
  const answer = (text: string, cuts: number[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of cut(text, cuts)) controller.enqueue(piece)
          controller.close()
        },
      }),
    )
  const seen: number[] = []
  const blob = await receive(answer(WHOLE, [20, 70, 90]), (fraction) => seen.push(fraction))
  assert.equal(await blob?.text(), WHOLE)
  assert.equal(seen.at(-1), 1)
  assert.equal(await receive(answer(WHOLE.slice(0, -9), [30]), () => {}), null)
})

test('the file has the name that the box gives it, and no other', () => {
  const name = fileName('gatehouse/harbour-26/box-1a2b3c4d', 48122)
  assert.equal(nameIn(`attachment; filename="${name}"`, 'x'), name)
  for (const bad of [null, 'attachment', 'filename="../x"', 'filename="a/b"', 'filename=".bashrc"', 'filename=""'])
    assert.equal(nameIn(bad, 'record.jsonl'), 'record.jsonl')
})

test("a report's style holds for the report and not for the app", () => {
  const css =
    '@page { size: A4 }\n* { a: b }\nbody { color: #111 }\ntbody { x: y }\n@media print { body { margin: 0 } }'
  assert.equal(
    shadowed(css),
    '\n* { a: b }\n:host { color: #111 }\ntbody { x: y }\n@media print { :host { margin: 0 } }',
  )
})
