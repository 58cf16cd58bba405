import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventStreamParser, type StreamEvent } from './event-stream.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const message = (data: string, rest: Partial<StreamEvent> = {}): StreamEvent => ({ event: 'message', data, ...rest })

for (const [why, text, events] of [
  ['nothing', '', []],
  ['a message', 'data: hello\n\n', [message('hello')]],
  ['no space after the colon', 'data:hello\n\n', [message('hello')]],
  ['one space only is taken away', 'data:  hello \n\n', [message(' hello ')]],
  ['a name and an id', 'event: mode\nid: 7\ndata: {}\n\n', [{ id: '7', event: 'mode', data: '{}' }]],
  ['lines joined', 'data: a\ndata\ndata: b\n\n', [message('a\n\nb')]],
  ['empty data is data', 'data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
  ['a name without data says nothing, and does not last', 'event: mode\n\ndata: a\n\n', [message('a')]],
  ['an id lasts', 'id: 1\ndata: a\n\ndata: b\n\n', [message('a', { id: '1' }), message('b', { id: '1' })]],
  ['an id alone', 'id: 1\n\ndata: b\n\n', [message('b', { id: '1' })]],
  ['an empty id ends it', 'id: 1\ndata: a\n\nid\ndata: b\n\n', [message('a', { id: '1' }), message('b')]],
  ['an id with NUL is ignored', 'id: 1\nid: 2\0\ndata: a\n\n', [message('a', { id: '1' })]],
  ['comments', ': hello\n:\n\ndata: a\n: between\ndata: b\n\n', [message('a\nb')]],
  ['unknown fields, and fields that only look known', 'Data: x\n data: x\ndata : x\nfoo\ndata: a\n\n', [message('a')]],
  ['a colon in the value', 'data: a: b\n\n', [message('a: b')]],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', [message('a\nb')]],
  ['CR', 'data: a\rdata: b\r\r', [message('a\nb')]],
  ['all three', 'data: a\r\ndata: b\rdata: c\n\r', [message('a\nb\nc')]],
  ['LF CR is two line ends', 'data: a\n\rdata: b\n\n', [message('a'), message('b')]],
  ['a byte order mark', '\ufeffdata: a\n\n', [message('a')]],
  ['only the first byte order mark', '\ufeff\ufeffdata: a\n\n', []],
  ['an event cut short', 'data: a\n\nid: 2\ndata: b\n', [message('a')]],
  ['outside ASCII', 'event: é\ndata: 🎪\n\n', [{ event: 'é', data: '🎪' }]],
  ['line separators that are none', 'data: a\u2028b\u0085c\u000b\n\n', [message('a\u2028b\u0085c\u000b')]],
] as const) {
  test(why, () => {
    assert.deepEqual(new EventStreamParser().push(utf8(text)), events)
  })
}

for (const [line, retryMs] of [
  ['retry: 2500', 2500],
  ['retry:0', 0],
  ['retry: 1e3', undefined],
  ['retry: -1', undefined],
  ['retry: 1.5', undefined],
  ['retry', undefined],
] as const) {
  test(`${line}: ${retryMs}`, () => {
    const parser = new EventStreamParser()
    parser.push(utf8(`${line}\n`))
    assert.equal(parser.retryMs, retryMs)
  })
}

test('an id counts once its event is complete', () => {
  const parser = new EventStreamParser('6')
  parser.push(utf8('id: 7\ndata: half'))
  assert.equal(parser.lastEventId, '6')
  parser.push(utf8(' and half\n\n'))
  assert.equal(parser.lastEventId, '7')
})

test('an event that ends in CR is not held back until the next byte', () => {
  const parser = new EventStreamParser()
  assert.deepEqual(parser.push(utf8('data: a\r\n\r')), [message('a')])
  assert.deepEqual(parser.push(utf8('\ndata: b\r\n\r\n')), [message('b')])
})

test('bytes that are not UTF-8 become U+FFFD, and spoil nothing after them', () => {
  const bytes = Uint8Array.of(...utf8('data: '), 0xff, 0xc3, ...utf8('\n\ndata: b\n\n'))
  assert.deepEqual(new EventStreamParser().push(bytes), [message('\ufffd\ufffd'), message('b')])
})

test('the same events, however the bytes are cut', () => {
  const line = fc.constantFrom(
    'data: é🎪',
    'data',
    'id: 1',
    'id: ü',
    'event: x',
    ': c',
    'retry: 5',
    '',
    '',
    'x: y',
    '\ufeff',
  )
  const end = fc.constantFrom('\n', '\r', '\r\n')
  const stream = fc.array(fc.tuple(line, end).map((pair) => pair.join(''))).map((lines) => utf8(lines.join('')))
  const cuts = fc.array(fc.nat(400)).map((all) => [...all].sort((a, b) => a - b))
  fc.assert(
    fc.property(stream, cuts, (bytes, cuts) => {
      const whole = new EventStreamParser()
      const expected = whole.push(bytes)
      const parser = new EventStreamParser()
      const events = [0, ...cuts].flatMap((cut, i) => parser.push(bytes.subarray(cut, cuts[i])))
      assert.deepEqual(events, expected)
      assert.equal(parser.lastEventId, whole.lastEventId)
      assert.equal(parser.retryMs, whole.retryMs)
    }),
    { numRuns: 1000 },
  )
})

test('any bytes at all are read without an error', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void new EventStreamParser().push(bytes)))
})

for (const [why, chunk] of [
  ['a line without end', 'data: '.padEnd(65_536, 'x')],
  ['data without end', `data: ${'x'.repeat(65_000)}\n`],
  ['empty data without end', 'data\n'.repeat(10_000)],
] as const) {
  test(`${why} is refused before it fills the memory`, () => {
    const parser = new EventStreamParser()
    const push = () => parser.push(utf8(chunk))
    assert.throws(() => {
      for (let i = 0; i < 200; i++) push()
    }, RangeError)
  })
}

test('a megabyte in many events is not a long event', () => {
  const parser = new EventStreamParser()
  const chunk = utf8(`data: ${'x'.repeat(60_000)}\n\n: ${'x'.repeat(60_000)}\n`)
  for (let i = 0; i < 100; i++) assert.equal(parser.push(chunk).length, 1)
})
