import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import fc from 'fast-check'
import {
  decodePage,
  decodePullRequest,
  EnvelopeError,
  encodeEnvelope,
  encodePage,
  encodePullRequest,
} from './envelope.ts'

const HLC = '1785000000000.000000'
const later = (n: number) => `1785000000000.${String(n).padStart(6, '0')}`
const entry = (index: number, fields: object = {}) => ({
  index,
  bytes: Buffer.from(canonicalJson({ hlc: later(index), index, kind: 'seal', ...fields })),
})
const pageOf = (...entries: { index: number; bytes: Buffer }[]) =>
  encodePage({ box: 'box-1', size: 100, entries: entries.map((one) => encodeEnvelope(one, undefined)) })
const refused = (bytes: Uint8Array, message: RegExp) =>
  assert.throws(
    () => decodePage(bytes, 'box-1'),
    (error) => error instanceof EnvelopeError && message.test(error.message),
  )
/** A page of one entry whose text is this. */
const pageWith = (bytes: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ v: 1, box: 'box-1', size: 9, entries: [{ index: 0, bytes, ...more }] }))

describe('a page of another box', () => {
  it('is read as it was written', () => {
    const scan = {
      at: new Date(0).toISOString(),
      checkpoint: 'a-in',
      code: null,
      confidence: 'confirmed',
      device: 'd',
      device_hlc: HLC,
      direction: 'in',
      observed_at: new Date(0).toISOString(),
      occurrence: null,
      kind: 'scan',
      offline_admitted: false,
      scan_id: 's',
      slot: null,
      surplus: null,
      ticket: null,
      tier: null,
      verdict: 'UNKNOWN',
    }
    const one = entry(7, scan)
    const rows = { scan: { digest: Buffer.alloc(32).toString('base64'), passed: false, response: '{}' } }
    const bytes = encodePage({ box: 'box-1', size: 9, epoch: 4, entries: [encodeEnvelope(one, rows)], seal: 'a note' })
    const page = decodePage(bytes, 'box-1')
    assert.deepEqual([page.size, page.epoch, page.seal, page.more], [9, 4, 'a note', undefined])
    const [read] = page.entries
    assert.deepEqual([read?.index, read?.kind, read?.hlc, read?.rows], [7, 'scan', later(7), rows])
    assert.deepEqual(read?.bytes, one.bytes)
  })

  it('keeps what a newer box writes', () => {
    const [read] = decodePage(pageOf(entry(0, { kind: 'teleport', by: 'magic' })), 'box-1').entries
    assert.equal(read?.kind, 'teleport')
  })

  it('is refused whole where an entry is not in its one spelling', () => {
    refused(pageWith(`{"kind":"seal","index":0,"hlc":"${HLC}"}`), /another spelling/)
    refused(pageWith(`{"hlc":"${HLC}", "index":0,"kind":"seal"}`), /another spelling/)
    refused(pageWith('[]'), /another spelling/)
    refused(pageWith('{'), /not JSON/)
  })

  it('is refused where entries are not where they say, or not in order', () => {
    refused(pageWith(canonicalJson({ hlc: HLC, index: 1, kind: 'seal' })), /another place/)
    refused(pageOf(entry(3), entry(5)), /out of order/)
    refused(pageOf(entry(4), entry(3)), /out of order/)
    refused(pageOf(entry(3), entry(4, { hlc: later(3) })), /out of order/)
    refused(pageOf(entry(100)), /beyond the end/)
    refused(pageWith(canonicalJson({ hlc: 'now', index: 0, kind: 'seal' })), /without a clock/)
    refused(pageWith(canonicalJson({ hlc: HLC, index: 0, kind: 'Seal!' })), /no kind/)
  })

  it('is refused where an entry lacks what everything here goes by', () => {
    refused(pageOf(entry(0, { kind: 'scan' })), /the fields of scan/)
    refused(pageOf(entry(0, { kind: 'ticket_revoked', ticket: 7 })), /the fields of ticket_revoked/)
    refused(pageOf(entry(0, { kind: 'heard', box: 'x', from: -1, to: 2 })), /the fields of heard/)
  })

  it('is refused where it is of another box, of another version, too long, or nothing at all', () => {
    assert.throws(() => decodePage(pageOf(entry(0)), 'box-2'), EnvelopeError)
    refused(Buffer.from('{"v":2}'), /shape/)
    refused(Buffer.alloc(2 ** 20 + 1, 0x20), /too long/)
    refused(Buffer.from([0xff, 0xfe]), /not JSON/)
    refused(Buffer.alloc(0), /not JSON/)
    refused(
      pageWith(canonicalJson({ hlc: HLC, index: 0, kind: 'seal' }), { rows: { tickets: [{ ref: 'x' }] } }),
      /shape/,
    )
  })

  it('ends in nothing but an EnvelopeError, whatever comes', () => {
    const whole = Buffer.from(pageOf(entry(0), entry(1, { kind: 'invite' })))
    const damaged = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })).map(([at, to]) => {
      const bytes = Buffer.from(whole)
      bytes[at] = to
      return bytes
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), damaged, fc.json().map(Buffer.from)), (bytes) => {
        try {
          decodePage(bytes, 'box-1')
        } catch (error) {
          assert.ok(error instanceof EnvelopeError, String(error))
        }
      }),
    )
  })
})

describe('a question', () => {
  it('is read as it was written, and anything else is none', () => {
    assert.deepEqual(decodePullRequest(encodePullRequest({ from: 7 })), { from: 7 })
    assert.deepEqual(decodePullRequest(encodePullRequest({ from: 7, after: 3 })), { from: 7, after: 3 })
    for (const bad of ['', '{}', '{"v":1,"from":-1}', '{"v":1,"from":1.5}', '{"v":1,"from":"1"}', '[1]']) {
      assert.throws(() => decodePullRequest(Buffer.from(bad)), EnvelopeError, bad)
    }
  })
})
