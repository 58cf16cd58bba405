import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { anyText } from './properties.testing.ts'

const fixtures = new URL('../../shared/fixtures/jcs/', import.meta.url)

if (existsSync(fixtures)) {
  for (const name of readdirSync(new URL('input/', fixtures))) {
    test(`the RFC's reference data: ${name}`, () => {
      const input = readFileSync(new URL(`input/${name}`, fixtures), 'utf8')
      const output = readFileSync(new URL(`output/${name}`, fixtures), 'utf8')
      assert.equal(canonicalJson(JSON.parse(input)), output)
    })
  }
} else {
  test("the RFC's reference data", { skip: 'the fixtures are not on this machine' })
}

// RFC 8785, appendix B: IEEE 754 bits and their text.
for (const [bits, text] of [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const) {
  test(`the number ${bits} is ${text}`, () => {
    assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text)
  })
}

for (const [value, text] of [
  [null, 'null'],
  [true, 'true'],
  ['', '""'],
  ['a\u2028\u007f/\u0000\u001f"\\', '"a\u2028\u007f/\\u0000\\u001f\\"\\\\"'],
  ['🎪', '"🎪"'],
  [{}, '{}'],
  [[], '[]'],
  [{ b: [], a: { d: 1, c: 2 } }, '{"a":{"c":2,"d":1},"b":[]}'],
  [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  [JSON.parse('{"__proto__":1,"2":0,"10":0}'), '{"10":0,"2":0,"__proto__":1}'],
  // UTF-16 order, not code point order: U+1F3AA is D83C DFAA, before U+FB33.
  [{ '\ufb33': 1, '🎪': 2 }, '{"🎪":2,"\ufb33":1}'],
] as const) {
  test(`canonical: ${text}`, () => assert.equal(canonicalJson(value), text))
}

const cycle: Record<string, unknown> = {}
cycle.cycle = cycle
const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

for (const [why, value] of [
  ['undefined', undefined],
  ['a property that is undefined', { a: undefined }],
  ['a hole', new Array(1)],
  ['NaN', Number.NaN],
  ['Infinity', { a: [Number.NEGATIVE_INFINITY] }],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['toJSON', { toJSON: () => 1 }],
  ['a symbol', Symbol('a')],
  ['a date', new Date(0)],
  ['bytes', new Uint8Array(1)],
  ['a map', new Map()],
  ['a boxed string', Object('a')],
  ['an instance', new (class Ticket {})()],
  ['a high surrogate alone', 'a\ud83c'],
  ['a low surrogate alone', '\udfaaa'],
  ['surrogates in the wrong order', '\udfaa\ud83c'],
  ['a lone surrogate in a key', { '\ud83c': 1 }],
  ['a cycle', cycle],
  ['nesting over 256 levels', deep(257)],
  ['hostile nesting', deep(5_000)],
] as const) {
  test(`no canonical JSON: ${why}`, () => assert.throws(() => canonicalJson(value), TypeError))
}

test('256 levels are written', () => assert.equal(canonicalJson(deep(256)).length, 512))

test('canonical text is a fixed point, and says what JSON.stringify says', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = canonicalJson(value)
      assert.equal(canonicalJson(JSON.parse(text)), text)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('the order in which keys were set does not matter', () => {
  const entries = fc.uniqueArray(fc.tuple(anyText(), fc.jsonValue({ maxDepth: 2 })), {
    selector: ([key]) => key,
  })
  const shuffled = entries.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  )
  fc.assert(
    fc.property(shuffled, ([one, other]) => {
      assert.equal(canonicalJson(Object.fromEntries(one)), canonicalJson(Object.fromEntries(other)))
    }),
  )
})
