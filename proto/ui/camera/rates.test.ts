/** Codes as they are shown in the world. In full with GATEHOUSE_TEST_LONG: 300 pictures, and an hour of frames without a code. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { CODE_KINDS } from '../../code-kinds.ts'
import { inOrder } from './codes.ts'
import { draw, prepareCodes, seeded, symbolOf, UPRIGHT } from './pictures.testing.ts'
import { readNoise, readRates } from './rates.testing.ts'
import { readPixels } from './reader.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
/** Frames that are read while nobody shows a code, ten a second. */
const FRAMES = LONG ? 36_000 : 60

before(prepareCodes)

test('every kind is read as it is held at gates, and nothing is read that does not stand there', async () => {
  const rates = await readRates(LONG ? 6 : 1)
  assert.deepEqual(
    rates.flatMap(({ wrong }) => wrong),
    [],
  )
  const always = rates.filter(({ kind, way }) => kind === 'qr' && way !== 'cracked screen')
  for (const { way, read, of } of always) assert.equal(read, of, `a QR code, ${way}`)
  for (const { kind, read, of } of rates.filter(({ way }) =>
    /^(upright|upside down|mirrored|dimmed screen|far away)$/.test(way),
  ))
    assert.equal(read, of, kind)
})

test('in noise, bars and blocks no code is read', async () => {
  assert.deepEqual(await readNoise(FRAMES), [])
})

test('a kind that the event does not name is not read', async () => {
  const random = seeded(1)
  for (const kind of CODE_KINDS) {
    const how = { ...UPRIGHT, across: 560 }
    const picture = draw([{ symbol: await symbolOf(kind, 'TICKET-1'), how }], random)
    assert.deepEqual(await readPixels(picture, [], true), [], kind)
    assert.deepEqual(
      (await readPixels(picture, [kind], true)).map(({ text }) => text),
      ['TICKET-1'],
      kind,
    )
  }
})

test('of two codes in view, the nearer to the middle is first', async () => {
  const random = seeded(2)
  const [near, far] = [await symbolOf('qr', 'NEAR'), await symbolOf('qr', 'FAR')]
  const picture = draw(
    [
      { symbol: far, how: { ...UPRIGHT, across: 240, x: -190 } },
      { symbol: near, how: { ...UPRIGHT, across: 240, x: 80 } },
    ],
    random,
  )
  assert.deepEqual(inOrder(await readPixels(picture, [], false), picture), ['NEAR', 'FAR'])
})
