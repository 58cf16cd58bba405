import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { bloomAdd, bloomSize, bloomToWire, createBloom } from '@gatehouse/proto/bloom.ts'
import { cellsFor, codeTableToWire, fillBucket, packCells } from '@gatehouse/proto/code-table.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import fc from 'fast-check'
import type { MirrorChange } from './changes.ts'
import { Mirror } from './mirror.ts'
import { prefixOf } from './prefixes.ts'
import { MirrorRefused, storedMirror } from './stored-mirror.ts'

const ZONES = ['arena', 'lounge']
const CODES = Array.from({ length: 8 }, (_, i) => {
  const hash = new Uint8Array(16).fill(i * 31 + 1)
  hash[15] = i
  return hash
})
const START = Date.parse('2026-07-01T18:00:00Z')
const hlcAt = (version: number) => format({ ms: START + version * 1000, count: 0 })
const TIERS = ['day', 'vip', 'crew'].map((id) => ({ id, name: id, colour: '#000000', entry: 'once' as const }))
const KINDS = TIERS.map(({ id }) => ({ tier: id, valid_from: null, valid_until: null }))
const NOWHERE = {
  checkpoints: [],
  holds: [],
  mode: 'STRICT' as const,
  venue_etag: '',
  event_id: 'e',
  tickets: 8,
  tiers: TIERS,
  days: [new Date(START).toISOString()],
  kinds: KINDS,
}

/** A box at its simplest: the valid codes, the revoked ones, and those that are used, with the place. */
class ModelBox {
  version = 0
  life = 1
  /** Of which kind each code is. */
  kinds = CODES.map(() => 0)
  valid = new Set<number>()
  gone = new Set<number>()
  used = ZONES.map(() => new Set<number>())
  held = false
  /** The changes of each version. */
  log: { code: number; zone?: number }[] = []

  whole(): Omit<Manifest, 'signature'> {
    const bloom = createBloom({ ...bloomSize(100, 1e-9), salt: new Uint8Array(16) })
    for (const code of [...this.valid, ...this.gone]) bloomAdd(bloom, CODES[code] ?? assert.fail())
    const list = (zone: number) => {
      const prefixes = [...(this.used[zone] ?? [])].map((code) => CODES[code]?.subarray(0, 8) ?? assert.fail())
      return toBase64(Buffer.concat(prefixes.sort(Buffer.compare)))
    }
    return {
      ...NOWHERE,
      life: this.life,
      version: this.version,
      hlc: hlcAt(this.version),
      redeemed: '',
      filter: bloomToWire(bloom),
      kind_table: this.#kindTable(),
      late_codes: [],
      late_kinds: [],
      holds: this.held ? [{ gate: 'a', reason: 'crowd', expires_at: null }] : [],
      revoked: [...this.gone].map((code) => toBase64(CODES[code] ?? assert.fail())),
      redeemed_by_zone: Object.fromEntries(ZONES.map((zone, i) => [zone, list(i)])),
    }
  }

  #kindTable() {
    const cells = cellsFor(CODES.length)
    const filled = fillBucket(Buffer.concat(CODES), this.kinds, cells)
    const bits = packCells(filled.cells, 2)
    return codeTableToWire({ buckets: 1, cells, width: 2, seeds: Uint8Array.of(filled.seed), bits })
  }

  #changed(codes: readonly number[]) {
    const of = (among: ReadonlySet<number>) => codes.filter((code) => among.has(code))
    const hashes = (some: readonly number[]) => some.map((code) => toBase64(CODES[code] ?? assert.fail()))
    const kinds = (some: readonly number[]) => some.map((code) => this.kinds[code] ?? assert.fail())
    const [added, revoked] = [of(this.valid), of(this.gone)]
    return {
      added: hashes(added),
      added_kinds: kinds(added),
      revoked: hashes(revoked),
      revoked_kinds: kinds(revoked),
      kinds: KINDS,
      redeemed: codes.flatMap((code) => this.standing(code)),
    }
  }

  since(version: number): Omit<ManifestDelta, 'signature'> {
    const touched = [...new Set(this.log.slice(version).map(({ code }) => code))].filter((code) => code >= 0)
    return {
      ...NOWHERE,
      life: this.life,
      version: this.version,
      since: version,
      hlc: hlcAt(this.version),
      holds: this.whole().holds,
      ...this.#changed(touched),
    }
  }

  standing(code: number) {
    const code_hash = prefixOf(CODES[code] ?? assert.fail())
    return ZONES.map((zone, i) => ({ code_hash, zone, used: this.used[i]?.has(code) === true }))
  }

  /** Does something, and returns what the stream says of it. */
  do({ what, code, zone }: Operation): MirrorChange {
    const hash = toBase64(CODES[code] ?? assert.fail())
    const version = ++this.version
    this.log.push({ code: what === 'hold' ? -1 : code })
    const hlc = hlcAt(version)
    switch (what) {
      case 'add':
        this.gone.delete(code)
        this.valid.add(code)
        this.kinds[code] = version % KINDS.length
        return { kind: 'ticket', data: { hlc, ...this.#changed([code]) } }
      case 'revoke':
        this.valid.delete(code)
        this.gone.add(code)
        return { kind: 'revocation', data: { code_hashes: [hash], hlc } }
      case 'hold':
        this.held = !this.held
        return {
          kind: 'hold',
          data: { gate: 'a', held: this.held, reason: 'crowd', expires_at: null, hlc, version },
        }
      default: {
        const used = what === 'use'
        if (used) this.used[zone]?.add(code)
        else this.used[zone]?.delete(code)
        const place = { checkpoint: 'a-in', direction: used ? ('in' as const) : ('out' as const), occurrence: 1 }
        const name = ZONES[zone] ?? assert.fail()
        const data = { ...place, code_hash: hash, code_hashes: [hash], zone: name, used, hlc, provisional: false }
        return { kind: 'redemption', data }
      }
    }
  }
}

const operation = fc.record({
  what: fc.constantFrom('add', 'add', 'revoke', 'use', 'use', 'leave', 'hold'),
  code: fc.nat(CODES.length - 1),
  zone: fc.nat(1),
})
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

function view(mirror: Mirror) {
  const standings = ZONES.flatMap((zone) =>
    CODES.map((code) => {
      const { known, revoked, used, kind } = mirror.statusOf(code, zone)
      return [known || revoked, revoked, used !== undefined, kind?.tier]
    }),
  )
  return { standings, version: mirror.version, held: mirror.holdOn('a', START) !== undefined }
}

describe('a mirror', () => {
  it('comes to the same by deltas, by the stream in any order with them, from its log, and by a whole manifest', () => {
    const round = fc.record({
      operations: fc.array(operation, { maxLength: 6 }),
      // The question that ends the round; by then, only some of the events that the box has sent have come.
      asks: fc.constantFrom('nothing', 'delta', 'whole'),
      behind: fc.nat(6),
      repeated: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(round, { maxLength: 8 }), (rounds) => {
        const box = new ModelBox()
        let mirror = new Mirror(storedMirror(box.whole()))
        let kept = { base: storedMirror(box.whole()), log: [] as MirrorChange[] }
        const hear = (heard: MirrorChange) => {
          mirror.apply(structuredClone(heard))
          kept.log.push(structuredClone(heard))
        }
        let waiting: MirrorChange[] = []
        const past: MirrorChange[] = []
        for (const { operations, asks, behind, repeated } of rounds) {
          for (const each of operations) waiting.push(box.do(each))
          const [now, late] = [waiting.slice(0, waiting.length - behind), waiting.slice(waiting.length - behind)]
          for (const heard of behind > waiting.length ? [] : now) {
            hear(heard)
            past.push(heard)
          }
          waiting = behind > waiting.length ? waiting : late
          if (asks === 'delta') hear({ kind: 'delta', data: box.since(mirror.version) })
          if (asks === 'whole') {
            const base = storedMirror(box.whole())
            const log = mirror.changesAfter(base.hlc)
            mirror = new Mirror(structuredClone(base), mirror)
            kept = { base, log }
            for (const heard of log) mirror.apply(heard)
          }
          // A stream that begins anew says standing things again.
          if (repeated) for (const heard of past.slice(-2)) hear(heard)
          // Old events that come after it change nothing: a manifest has the whole state.
          if (asks !== 'nothing') assert.deepEqual(view(mirror), view(new Mirror(storedMirror(box.whole()))))
        }
        for (const heard of waiting) hear(heard)
        hear({ kind: 'delta', data: box.since(mirror.version) })
        const expected = view(new Mirror(storedMirror(box.whole())))
        assert.deepEqual(view(mirror), expected)
        const reloaded = new Mirror(structuredClone(kept.base))
        for (const heard of kept.log) reloaded.apply(heard)
        assert.deepEqual(view(reloaded), expected)
      }),
      { numRuns: 500 },
    )
  })

  it('a word of the stream that is newer than a manifest stands against it', () => {
    const box = new ModelBox()
    box.do({ what: 'add', code: 1, zone: 0 })
    const mirror = new Mirror(storedMirror(box.whole()))
    const old = box.since(box.version)
    for (const what of ['use', 'revoke', 'hold'] as const) mirror.apply(box.do({ what, code: 1, zone: 0 }))
    mirror.apply({ kind: 'delta', data: old })
    const standing = mirror.statusOf(CODES[1] ?? assert.fail(), 'arena')
    assert.deepEqual([standing.revoked, standing.used !== undefined], [true, true])
    assert.ok(mirror.holdOn('a', START))
  })

  it('says where a code was used when it was told', () => {
    const box = new ModelBox()
    const mirror = new Mirror(storedMirror(box.whole()))
    mirror.apply(box.do({ what: 'use', code: 2, zone: 1 }))
    const { used } = mirror.statusOf(CODES[2] ?? assert.fail(), 'lounge')
    assert.deepEqual(used, { checkpoint: 'a-in', at: START + 1000, hlc: hlcAt(1), occurrence: 1 })
    assert.equal(mirror.statusOf(CODES[2] ?? assert.fail(), 'arena').used, undefined)
    const unheard = new Mirror(storedMirror(box.whole()))
    assert.equal(unheard.statusOf(CODES[2] ?? assert.fail(), 'lounge').used, 'unknown')
  })

  it('what was used up in another life of the box is still used up, until somebody is seen to leave', () => {
    const box = new ModelBox()
    const use = (code: number) => ({ what: 'use', code, zone: 0 }) as const
    box.do(use(1))
    let mirror = new Mirror(storedMirror(box.whole()))
    for (const code of [2, 3]) mirror.apply(box.do(use(code)))
    // The box was put back to a time at which only the first was inside.
    const restored = new ModelBox()
    Object.assign(restored, { life: 2, version: 10 })
    const turn = () => {
      const { life } = restored
      const base = structuredClone(storedMirror(restored.whole(), mirror.usedBefore({ box: '', life })))
      mirror = new Mirror(base, mirror)
    }
    const used = () => CODES.map((code) => mirror.statusOf(code, 'arena').used !== undefined)
    turn()
    assert.deepEqual(used(), [false, true, true, true, false, false, false, false])
    assert.equal(mirror.statusOf(CODES[3] ?? assert.fail(), 'arena').usedAsOf, START + 3000)
    assert.equal(mirror.statusOf(CODES[1] ?? assert.fail(), 'lounge').used, undefined)
    mirror.apply(restored.do({ what: 'leave', code: 2, zone: 0 }))
    mirror.apply(restored.do(use(4)))
    turn()
    assert.deepEqual(used(), [false, true, false, true, true, false, false, false])
    restored.life = 3
    restored.used[0]?.clear()
    turn()
    turn()
    assert.deepEqual(used(), [false, true, false, true, true, false, false, false])
  })

  it('a hold ends by itself', () => {
    const manifest = {
      ...new ModelBox().whole(),
      holds: [{ gate: 'a', reason: '', expires_at: '2026-07-01T18:00:00Z' }],
    }
    const mirror = new Mirror(storedMirror(manifest))
    assert.deepEqual([mirror.holdOn('a', START - 1) !== undefined, mirror.holdOn('a', START)], [true, undefined])
  })
})

describe('a manifest that must not be taken', () => {
  const good = new ModelBox().whole()
  const filter = (change: object) => ({ ...good, filter: { ...good.filter, ...change } })
  const prefix = (...bytes: number[]) => Uint8Array.from([...bytes, ...new Uint8Array(8 - bytes.length)])
  const cases: [string, object][] = [
    ['m is 0', filter({ m: 0 })],
    ['m is not a whole number', filter({ m: 8.5 })],
    ['k is 0', filter({ k: 0 })],
    ['the bits are cut off', filter({ bits: good.filter.bits.slice(0, -4) })],
    ['the bits are not Base64', filter({ bits: good.filter.bits.slice(0, -1) })],
    ['there is no salt', filter({ salt: '' })],
    ['a list is cut off', { ...good, redeemed_by_zone: { arena: toBase64(new Uint8Array(12)) } }],
    ['a list is not Base64', { ...good, redeemed_by_zone: { arena: 'AAAAAAAAAA' } }],
    [
      'a list is out of order',
      { ...good, redeemed_by_zone: { arena: toBase64(Buffer.concat([prefix(2), prefix(1)])) } },
    ],
    ['there is no clock reading', { ...good, hlc: 'soon' }],
    ['there is no life', { ...good, life: undefined }],
    ['a kind without a tier', { ...good, kinds: [...KINDS, { ...KINDS[0], tier: undefined }] }],
    ['a kind with a date that is none', { ...good, kinds: [{ ...KINDS[0], valid_until: 'soon' }] }],
    ['a late code of no kind', { ...good, late_codes: ['AAAAAAAAAAAAAAAAAAAAAA=='], late_kinds: [9] }],
    ['the table is cut off', { ...good, kind_table: { ...good.kind_table, bits: '' } }],
    ['the table has no cells', { ...good, kind_table: { ...good.kind_table, cells: 0 } }],
  ]
  for (const [what, manifest] of cases) {
    it(what, () =>
      assert.throws(
        () => storedMirror(manifest as Manifest),
        (e) => e instanceof RangeError || e instanceof MirrorRefused,
      ),
    )
  }

  it('a delta that goes back, leaves a hole, or is of another event changes nothing', () => {
    const box = new ModelBox()
    const mirror = new Mirror(storedMirror(box.whole()))
    for (let i = 0; i < 5; i++) box.do({ what: 'add', code: i, zone: 0 })
    mirror.apply({ kind: 'delta', data: box.since(0) })
    const before = view(mirror)
    const delta = { ...box.since(5), added: [toBase64(CODES[7] ?? assert.fail())], added_kinds: [1] }
    const changes = [
      ...[{ version: 4 }, { since: 6, version: 7 }, { event_id: 'f' }, { added: ['AAAA'] }],
      ...[{ life: 0 }, { life: 2 }, { added_kinds: [] }, { added_kinds: [3] }, { added_kinds: [-1] }, { kinds: [] }],
    ]
    for (const change of changes) {
      assert.throws(() => mirror.apply({ kind: 'delta', data: { ...delta, ...change } }), MirrorRefused)
      assert.deepEqual(view(mirror), before)
    }
  })
})
