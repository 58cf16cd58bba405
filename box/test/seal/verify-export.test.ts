/** The outside verifier against every change of an export, and against the public vectors. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import fc from 'fast-check'
import { ExportedCases } from '../../src/seal/export/exported-cases.ts'
import { hashesOver, inclusionProof, rootOf } from '../../src/seal/merkle.ts'
import { type Signer, signNote } from '../../src/seal/note.ts'
import type { Report } from '../../src/seal/report/shape.ts'
import { verifierKey } from '../../src/seal/verifier-key.ts'
import {
  canonical,
  describe as describeFindings,
  leafHash,
  Tree,
  Unreadable,
  verifyExport,
} from '../../verify-export.ts'
import { CasesAgain } from '../world/cases-again.ts'
import { TEST_EVENT } from '../world/event.ts'
import { type Exported, exportedEvent, exportedFacts, type NewFact } from '../world/exported.ts'
import { isIncluded } from '../world/inclusion.ts'

const LONG = Boolean(process.env.GATEHOUSE_TEST_LONG)

let exported: Exported
let other: Exported
/** Lines without their line feeds. */
let lines: string[]
before(async () => {
  exported = await exportedEvent()
  other = await exportedEvent()
  lines = exported.file.toString().split('\n').slice(0, -1)
})

/** `genuine`, `unreadable`, or what was found first. */
function outcome(file: Uint8Array | readonly string[], options: { key?: string; checkpoints?: string[] } = {}): string {
  const bytes = file instanceof Uint8Array ? file : Buffer.from((file as string[]).map((line) => `${line}\n`).join(''))
  try {
    const { genuine, problems } = verifyExport([bytes], { key: exported.key, ...options })
    assert.equal(genuine, problems.length === 0)
    return genuine ? 'genuine' : problems.map(({ kind }) => kind).join(' ')
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error))
    return 'unreadable'
  }
}

/** The same by the box's own command, which follows each case to its end besides. */
function outcomeAtBox(lines: readonly string[]): string {
  const cases = new ExportedCases()
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const { problems } = cases.checked(verifyExport([bytes], { key: exported.key, follow: cases.follow }))
  return problems.length === 0 ? 'genuine' : problems.map(({ kind }) => kind).join(' ')
}

describe('an export as it was made', () => {
  it('is genuine, however it is cut into chunks', () => {
    assert.equal(outcome(exported.file), 'genuine')
    for (const size of [1, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(exported.file.length / size) }, (_, i) =>
        exported.file.subarray(i * size, (i + 1) * size),
      )
      assert.ok(verifyExport(chunks, { key: exported.key }).genuine)
    }
  })

  it('tells what was checked, and what was not', () => {
    const findings = verifyExport([exported.file], { key: exported.key })
    assert.deepEqual(
      [findings.entries, findings.seals, findings.checkpoint.size, findings.note],
      [exported.entries, exported.notes.length, exported.entries, exported.notes.at(-1)],
    )
    const text = describeFindings(findings)
    assert.match(text, /^Genuine: event test-fair, box-[0-9a-f]{8}\n/)
    assert.match(text, /not checked.*who held the key.*--checkpoint FILE/s)
  })

  it('holds no name of a holder, no code and no ticket id', () => {
    assert.doesNotMatch(exported.file.toString(), /T-1|F-1|V-1|nobody knows/)
  })
})

describe('whatever is done to an export', () => {
  it('is detected: a flipped bit, wherever it is', { timeout: 1_200_000 }, () => {
    const file = Buffer.from(exported.file)
    // Every bit in the long form; else one of each byte, of every twentieth byte, and other bytes at the next run.
    const step = LONG ? 1 : 20
    for (let at = Math.floor(Math.random() * step); at < file.length; at += step) {
      for (const bit of LONG ? [0, 1, 2, 3, 4, 5, 6, 7] : [Math.floor(Math.random() * 8)]) {
        file.writeUInt8(file.readUInt8(at) ^ (1 << bit), at)
        assert.notEqual(outcome(file), 'genuine', `bit ${bit} of byte ${at}`)
        file.writeUInt8(file.readUInt8(at) ^ (1 << bit), at)
      }
    }
    assert.equal(outcome(file), 'genuine')
  })

  it('is detected: any bit of the header and of the last signature', { timeout: 1_200_000 }, () => {
    const file = Buffer.from(exported.file)
    const header = Buffer.byteLength(lines[0] ?? '') + 1
    const signature = file.length - Buffer.from(lines.at(-1) ?? '').length + (lines.at(-1) ?? '').indexOf('—')
    for (const [from, until] of [[0, header] as const, [signature, file.length] as const]) {
      for (let bit = from * 8; bit < until * 8; bit++) {
        const at = bit >> 3
        file.writeUInt8(file.readUInt8(at) ^ (1 << (bit & 7)), at)
        assert.notEqual(outcome(file), 'genuine', `bit ${bit & 7} of byte ${at}`)
        file.writeUInt8(file.readUInt8(at) ^ (1 << (bit & 7)), at)
      }
    }
  })

  it('is detected: bytes added, removed, and the end cut off', { timeout: 600_000 }, () => {
    const { file } = exported
    const random = fc.integer({ min: 0, max: file.length - 1 })
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...Buffer.from(' \t\r\n\0=",{}0-')))
    fc.assert(
      fc.property(random, byte, (at, value) => {
        const more = Buffer.concat([file.subarray(0, at), Buffer.of(value), file.subarray(at)])
        assert.notEqual(outcome(more), 'genuine')
      }),
      { numRuns: 400 },
    )
    fc.assert(
      fc.property(random, fc.integer({ min: 1, max: 600 }), (at, count) => {
        const less = Buffer.concat([file.subarray(0, at), file.subarray(at + count)])
        assert.notEqual(outcome(less), 'genuine')
      }),
      { numRuns: 200 },
    )
    for (const end of ['\n', ' ', '\0', '\r\n', '{}\n']) {
      assert.notEqual(outcome(Buffer.concat([file, Buffer.from(end)])), 'genuine', JSON.stringify(end))
    }
    assert.equal(outcome(file.subarray(0, -1)), 'cut_short')
    for (const from of [0, 1, 2, 10, lines.length - 2, lines.length - 1]) {
      assert.notEqual(outcome(lines.slice(0, from)), 'genuine', `only ${from} lines`)
    }
    assert.equal(outcome(file.toString().replaceAll('\n', '\r\n').split('\n').slice(0, -1)), 'unreadable')
    assert.equal(outcome(Buffer.concat([Buffer.from('\ufeff'), file])), 'unreadable')
  })

  it('is detected: lines swapped, doubled, left out, or taken from another export', { timeout: 600_000 }, () => {
    const theirs = other.file.toString().split('\n').slice(0, -1)
    for (let i = 0; i < lines.length; i++) {
      assert.notEqual(outcome(lines.toSpliced(i, 1)), 'genuine', `without line ${i + 1}`)
      assert.notEqual(outcome(lines.toSpliced(i, 0, lines[i] ?? '')), 'genuine', `line ${i + 1} twice`)
      if (i > 0) {
        const swapped = lines.with(i, lines[i - 1] ?? '').with(i - 1, lines[i] ?? '')
        assert.notEqual(outcome(swapped), 'genuine', `lines ${i} and ${i + 1} swapped`)
        const mixed = lines.with(i, theirs[i] ?? '')
        if (mixed[i] !== lines[i]) assert.notEqual(outcome(mixed), 'genuine', `line ${i + 1} of another export`)
      }
    }
  })

  it('is detected: the same JSON, spelled another way', () => {
    for (const [i, line] of lines.entries()) {
      const spaced = line.replace(':', ': ')
      assert.match(outcome(lines.with(i, spaced)), /line|unreadable/)
      const escaped = line.replace('"a', '"\\u0061')
      if (escaped !== line) assert.notEqual(outcome(lines.with(i, escaped)), 'genuine')
    }
    assert.match(outcome(lines.with(0, (lines[0] ?? '').replace('}', ',"x":1}'))), /unreadable/)
  })
})

describe('what a forger writes', () => {
  it('reaches the terminal escaped', () => {
    const at = lines.findIndex((line) => line.includes('"kind":"scan"'))
    const forged = canonicalJson({ ...JSON.parse(lines[at] ?? ''), checkpoint: 'x\u009b2J\u202e' })
    const findings = verifyExport([Buffer.from(`${lines.with(at, forged).join('\n')}\n`)], { key: exported.key })
    assert.match(describeFindings(findings), /checkpoint x\?2J\?/)
  })
})

describe('a reader without the key, or with the wrong one', () => {
  it('is told where to get the key', () => {
    for (const key of ['', 'x', exported.key.slice(0, -1), `${exported.key}A`]) {
      assert.throws(() => verifyExport([exported.file], { key }), { name: 'Unreadable', message: /v1\/meta/ })
    }
    // Of the right form, with one letter of the name or the key mistyped.
    for (const key of [exported.key.replace('fair', 'fare'), swapLastLetters(exported.key)]) {
      assert.throws(() => verifyExport([exported.file], { key }), { name: 'Unreadable', message: /mistyped/ })
    }
  })

  it('gets no export reported as genuine', () => {
    assert.match(outcome(exported.file, { key: other.key }), /seal/)
    // Of another algorithm than Ed25519, and well formed.
    const encoded = Buffer.concat([Buffer.of(2), Buffer.alloc(32)])
    const id = createHash('sha256').update('x\n').update(encoded).digest('hex').slice(0, 8)
    assert.equal(outcome(exported.file, { key: `x+${id}+${encoded.toString('base64')}` }), 'unreadable')
  })

  it('is refused a key of small order, with which one signature is good for every record', () => {
    for (const raw of [Buffer.alloc(32), Buffer.alloc(32, 255), Buffer.from('01'.padEnd(64, '0'), 'hex')]) {
      const encoded = Buffer.concat([Buffer.of(1), raw])
      const id = createHash('sha256').update('x\n').update(encoded).digest('hex').slice(0, 8)
      const key = `x+${id}+${encoded.toString('base64')}`
      assert.throws(() => verifyExport([exported.file], { key }), { name: 'Unreadable', message: /anybody can sign/ })
    }
  })

  it('is not deceived by another key of the same name', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const forger: Signer = { name: exported.signer.name, key: privateKey }
    const forged = lines.map((line) => {
      const { note, ...more } = JSON.parse(line)
      return note === undefined ? line : canonicalJson({ ...more, note: signNote(textOf(note), forger) })
    })
    assert.match(outcome(forged), /seal/)
    assert.equal(outcome(forged, { key: verifierKey(forger.name, privateKey) }), 'genuine', 'for whom trusts that key')
    // A second signature beside a good one is bound by nothing.
    const both = lines.map((line) => {
      const { note, ...more } = JSON.parse(line)
      const second = () => signNote(textOf(note), forger).split('\n').at(-2)
      return note === undefined ? line : canonicalJson({ ...more, note: `${note}${second()}\n` })
    })
    assert.match(outcome(both), /seal/)
  })
})

describe('a box that signs a report that contradicts its entries', () => {
  /** The export with another report, signed by the box's own key. */
  function withReport(change: (report: Report) => unknown): string[] {
    const changed = canonicalJson(change(JSON.parse(lines.at(-2) ?? '')))
    const signed = textOf(JSON.parse(lines.at(-1) ?? '').note).replace(
      /sha256 .*/,
      `sha256 ${createHash('sha256').update(changed).digest('hex')}`,
    )
    return [...lines.slice(0, -2), changed, canonicalJson({ note: signNote(signed, exported.signer) })]
  }

  /** The fields of a case that follow from entries after the one that opens it. */
  const LATER =
    /^(flags\.\d+\.(scans|resolutions|state)|incidents\.\d+\.(state|actions|\w+_after)|holds\.\d+\.(released|replaced)_)/

  it('is detected, whichever number, text or row it changes', { timeout: 300_000 }, () => {
    assert.equal(outcome(withReport((report) => report)), 'genuine')
    assert.equal(outcomeAtBox(withReport((report) => report)), 'genuine')
    const report = JSON.parse(lines.at(-2) ?? '')
    const changed = { everywhere: 0, atBox: 0 }
    for (const path of leavesOf(report)) {
      if (path[0] === 'software' || path[0] === 'made_at') continue
      const name = path.join('.')
      const file = withReport((copy) => changeAt(copy, path))
      assert.match(outcomeAtBox(file), /total|report/, name)
      if (LATER.test(name)) changed.atBox++
      else {
        assert.match(outcome(file), /total|report/, name)
        changed.everywhere++
      }
    }
    assert.ok(changed.everywhere > 150 && changed.atBox > 20, JSON.stringify(changed))
    for (const name of Object.keys(report)) {
      assert.notEqual(
        outcome(withReport((copy) => Object.fromEntries(Object.entries(copy).filter(([key]) => key !== name)))),
        'genuine',
        `without ${name}`,
      )
    }
    assert.match(outcome(withReport((copy) => ({ ...copy, more: 1 }))), /total/)
    for (const list of ['flags', 'incidents', 'holds', 'overrides'] as const) {
      const [row] = report[list]
      for (const rows of [[], [...report[list], row], [{ ...row, more: 1 }, ...report[list].slice(1)]]) {
        assert.match(outcome(withReport((copy) => ({ ...copy, [list]: rows }))), /total/, `rows of ${list}`)
      }
    }
  })

  it('is told what only the box’s own command checks', () => {
    const { unchecked } = verifyExport([exported.file], { key: exported.key })
    const said = (text: string) => /became of each flag, incident and held gate/.test(text)
    assert.ok(unchecked.some(said))
    const cases = new ExportedCases()
    const atBox = cases.checked(verifyExport([exported.file], { key: exported.key, follow: cases.follow }))
    assert.deepEqual(
      atBox.unchecked,
      unchecked.filter((text) => !said(text)),
    )
  })

  it('names the total that is wrong', () => {
    const file = withReport((report) => ({ ...report, people: { ...report.people, arrived: 8 } }))
    const { problems } = verifyExport([Buffer.from(`${file.join('\n')}\n`)], { key: exported.key })
    assert.deepEqual(problems, [
      { line: file.length - 1, kind: 'total', detail: 'people.arrived: the report says 8, the entries say 7' },
    ])
  })

  it('may use newer time zone rules than this machine, and still be genuine', () => {
    const file = withReport((report) => ({
      ...report,
      hours: report.hours.map((hour) => ({
        ...hour,
        from: hour.from.replace('+01:00', '+02:00').replace(/T(\d\d)/, (_, h) => `T${Number(h) + 1}`),
      })),
    }))
    const findings = verifyExport([Buffer.from(`${file.join('\n')}\n`)], { key: exported.key })
    assert.deepEqual(findings.problems, [])
    assert.match(findings.unchecked.join('\n'), /that the hours follow the clock of Europe\/Lisbon/)
  })
})

describe('whatever happens at a box', () => {
  it('is exported with a report that both verifiers compute alike', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 1000 }), { minLength: 8, maxLength: 8 }), { maxLength: 60 }),
        async (rolls) => {
          const { file, key, report } = await exportedFacts(rolls.map((roll, i) => factOf(roll, i, rolls)))
          const again = new CasesAgain()
          const findings = verifyExport([file], { key, follow: () => again.add })
          assert.deepEqual(findings.problems, [])
          assert.equal(canonical(findings.report), canonicalJson(report))
          const { flags, incidents, holds } = again.rows()
          const { flags: toldFlags, incidents: toldIncidents, holds: toldHolds } = report
          assert.equal(
            canonical({ flags, incidents, holds }),
            canonicalJson({ flags: toldFlags, incidents: toldIncidents, holds: toldHolds }),
          )
          const cases = new ExportedCases()
          assert.ok(cases.checked(verifyExport([file], { key, follow: cases.follow })).genuine)
        },
      ),
      { numRuns: LONG ? 500 : 20 },
    )
  })
})

describe('a checkpoint that was kept elsewhere', () => {
  it('is checked against the entries, also with signatures of witnesses', () => {
    const [, second = ''] = exported.notes
    const { privateKey } = generateKeyPairSync('ed25519')
    const witness = signNote(textOf(second), { name: 'safety.example/1', key: privateKey }).split('\n').at(-2)
    const findings = verifyExport([exported.file], { key: exported.key, checkpoints: [`${second}${witness}\n`] })
    assert.ok(findings.genuine)
    assert.deepEqual(findings.kept, [13])
    assert.doesNotMatch(findings.unchecked.join('\n'), /--checkpoint/)
  })

  it('exposes a rewritten history', () => {
    const root = Buffer.alloc(32, 7).toString('base64')
    const signed = (size: number) => signNote(`${exported.signer.name}\n${size}\n${root}\n`, exported.signer)
    assert.equal(outcome(exported.file, { checkpoints: [signed(13)] }), 'checkpoint')
    assert.equal(outcome(exported.file, { checkpoints: [signed(14)] }), 'checkpoint', 'between two seals too')
    assert.equal(outcome(exported.file, { checkpoints: [signed(51)] }), 'checkpoint', 'longer than the export')
  })

  it('is refused when it is signed by another log’s key, or truncated', () => {
    for (const note of [other.notes[1] ?? '', (exported.notes[1] ?? '').slice(0, -5), '', 'x']) {
      assert.equal(outcome(exported.file, { checkpoints: [note] }), 'unreadable')
    }
  })
})

describe('the file alone, in an empty folder', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-verify-'))
    copyFileSync(new URL('../../verify-export.ts', import.meta.url), join(folder, 'verify-export.ts'))
    writeFileSync(join(folder, 'event.jsonl'), exported.file)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  function node(...args: string[]) {
    const env = { PATH: process.env.PATH }
    const ran = spawnSync(process.execPath, ['verify-export.ts', ...args], { cwd: folder, env, encoding: 'utf8' })
    return { code: ran.status, out: ran.stdout, err: ran.stderr }
  }

  it('exits 0 for a genuine export', () => {
    const { code, out, err } = node('event.jsonl', '--key', exported.key)
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^Genuine: /)
    const json = node('event.jsonl', '--key', exported.key, '--json')
    const findings = JSON.parse(json.out)
    assert.deepEqual([json.code, findings.genuine, findings.report.entries], [0, true, 50])
  })

  it('exits 1 for flipped bytes, and names the place of each', () => {
    const places = [600, 5_000, 12_000, exported.file.length - 2_000, exported.file.length - 3]
    for (const at of places) {
      const file = Buffer.from(exported.file)
      file.writeUInt8(file.readUInt8(at) ^ 1, at)
      writeFileSync(join(folder, 'flipped.jsonl'), file)
      const { code, out, err } = node('flipped.jsonl', '--key', exported.key)
      assert.deepEqual([code, err], [1, ''], `byte ${at}`)
      assert.match(out, /^NOT GENUINE: .*\n\n {2}found.*\n(.*\n)*? {4}line \d+: /)
    }
    const wrong = node('event.jsonl', '--key', other.key)
    assert.equal(wrong.code, 1)
    assert.match(
      wrong.out,
      /^NOT GENUINE: by the key of event .*\n(.*\n)+.*signed by another key .*is it the key of this box\?/,
    )
  })

  it('takes a checkpoint from a file', () => {
    writeFileSync(join(folder, 'kept.txt'), exported.notes[2] ?? '')
    const { code, out } = node('event.jsonl', '--key', exported.key, '--checkpoint', 'kept.txt')
    assert.equal(code, 0)
    assert.match(out, /kept elsewhere: its 18 entries are the first of these/)
  })

  it('exits 2 when it cannot check, and says why', () => {
    writeFileSync(join(folder, 'text.jsonl'), 'hello\n')
    writeFileSync(join(folder, 'zeros.jsonl'), Buffer.alloc(100_000))
    writeFileSync(join(folder, 'empty.jsonl'), '')
    const wrong: [args: string[], why: RegExp][] = [
      [[], /Usage: node verify-export\.ts FILE/],
      [['event.jsonl'], /--key KEY\n.*The key is not in the file/],
      [['event.jsonl', '--key', 'x'], /not the key of a box: x/],
      [['nowhere.jsonl', '--key', exported.key], /ENOENT/],
      [['.', '--key', exported.key], /EISDIR/],
      [['event.jsonl', '--key', exported.key, '--checkpoint', 'nowhere'], /ENOENT/],
      [['event.jsonl', 'another', '--key', exported.key], /Usage: node verify-export\.ts FILE/],
      [['event.jsonl', '--frob'], /Unknown option '--frob'/],
      [['text.jsonl', '--key', exported.key], /not an export/],
      [['zeros.jsonl', '--key', exported.key], /not an export/],
      [['empty.jsonl', '--key', exported.key], /not an export/],
    ]
    for (const [args, why] of wrong) {
      const { code, out, err } = node(...args)
      assert.deepEqual([code, out], [2, ''], args.join(' '))
      assert.match(err, why)
      assert.doesNotMatch(err, /^\s+at /m)
    }
    assert.equal(node('--help').code, 0)
  })

  it('imports only Node’s own modules, none of the box', () => {
    const source = readFileSync(new URL('../../verify-export.ts', import.meta.url), 'utf8')
    const imported = [...source.matchAll(/^import .* from '(.*)'$/gm)].map(([, from]) => from)
    assert.deepEqual(imported, ['node:crypto', 'node:fs', 'node:util'])
    assert.doesNotMatch(source, /import\(|require\(/)
  })
})

describe('RFC 6962 in the second verifier', () => {
  const leaf = (i: number) => leafHash(Buffer.from(`entry ${i}`))

  it('has the roots of the first, and accepts its proofs and no other', () => {
    const tree = new Tree()
    const leaves: Buffer[] = []
    for (let size = 0; size <= 130; size++) {
      const root = tree.root()
      assert.deepEqual(
        root,
        Buffer.from(
          rootOf(
            size,
            hashesOver((i) => leaves[i] as Buffer),
          ),
        ),
      )
      for (let index = 0; index < size; index++) {
        const proof = inclusionProof(
          index,
          size,
          hashesOver((i) => leaves[i] as Buffer),
        )
        const accepts = (at: number, of: number, by: Uint8Array[]) =>
          isIncluded(leaves[index] as Buffer, { index: at, size: of, root }, by)
        assert.ok(accepts(index, size, proof))
        assert.ok(!accepts((index + 1) % size, size, proof) || size === 1)
        assert.ok(!accepts(index, size, [...proof, root]))
        assert.ok(!accepts(index, size, proof.slice(1)) || proof.length === 0)
      }
      tree.add(leaf(size))
      leaves.push(leaf(size))
    }
  })

  const folder = new URL('../../../../shared/fixtures/merkle/inclusion/', import.meta.url)
  const skip = existsSync(folder) ? false : 'the fixtures are not on this machine'
  it('agrees with every inclusion vector of transparency-dev', { skip }, () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    assert.ok(names.length > 80)
    for (const name of names) {
      const vector = JSON.parse(readFileSync(new URL(encodeURI(name).replaceAll('#', '%23'), folder), 'utf8'))
      const bytes = (text: string | null | undefined) => Buffer.from(text ?? '', 'base64')
      const place = { index: vector.leafIdx, size: vector.treeSize, root: bytes(vector.root) }
      assert.equal(isIncluded(bytes(vector.leafHash), place, (vector.proof ?? []).map(bytes)), !vector.wantErr, name)
    }
  })
})

describe('RFC 8785 in the second verifier', () => {
  const folder = new URL('../../../../shared/fixtures/jcs/', import.meta.url)
  const skip = existsSync(folder) ? false : 'the fixtures are not on this machine'
  it('agrees with every vector of the RFC’s authors', { skip }, () => {
    const names = readdirSync(new URL('input/', folder))
    assert.ok(names.length >= 6)
    for (const name of names) {
      const [input, output] = ['input', 'output'].map((side) =>
        readFileSync(new URL(`${side}/${name}`, folder), 'utf8'),
      )
      assert.equal(canonical(JSON.parse(input ?? '')), output, name)
    }
  })

  it('agrees with the first, for every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(canonical(value as never), canonicalJson(value))
      }),
      { numRuns: 500 },
    )
    for (const value of ['\ud800', Number.NaN, Number.POSITIVE_INFINITY, { '\udfff': 1 }]) {
      assert.throws(() => canonical(value as never))
    }
  })
})

/** Of a signed note. */
function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n') + 1)
}

/** Two letters of the public key, exchanged. */
function swapLastLetters(key: string): string {
  const at = [...key].findLastIndex((letter, i) => /[A-Za-z0-9]/.test(letter) && letter !== key[i - 1])
  return key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
}

function* leavesOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) yield path
  else for (const [name, item] of Object.entries(value)) yield* leavesOf(item, [...path, name])
}

/** A number one more, a text one letter longer. */
function changeAt(root: unknown, path: readonly string[]): unknown {
  const parent = path.slice(0, -1).reduce((at, name) => (at as Record<string, unknown>)[name], root)
  const name = path.at(-1) ?? ''
  const fields = parent as Record<string, string | number>
  fields[name] = typeof fields[name] === 'number' ? fields[name] + 1 : `${fields[name]}x`
  return root
}

/** A fact of any kind out of eight random numbers. What it refers to has happened before, as it does at a box. */
function factOf(
  [kind = 0, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0]: number[],
  i: number,
  rolls: number[][],
): NewFact {
  const pick = <T>(of: readonly T[], by: number): T => of[by % of.length] as T
  const at = new Date(Date.UTC(2026, 9, 24, 22) + i * 700_000).toISOString()
  const absurd = pick(['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z', at, at, at], b)
  const direction = pick(['in', 'out'], c)
  const checkpoint = pick(direction === 'in' ? ['a-in', 'b-in', 'v-in'] : ['a-out', 'v-out'], a)
  const who = { actor: pick(['Ana', 'Zé “the gate”', '\u{1f3ab}'], f), address: '::1' }
  const passed = {
    checkpoint,
    device: `d${d % 3}`,
    ticket: `t${e % 5}`,
    tier: pick(['once', 'vip', 'gone'], e),
    slot: 'x',
    surplus: 0,
    code: null,
  }
  /** Something of the kind that has happened before, by its number. */
  const earlier = (of: number) =>
    rolls.slice(0, i).flatMap((roll, index) => ((roll[0] ?? 0) % 12 === of ? [index] : []))
  switch (kind % 12) {
    case 0: {
      const more = { confidence: 'confirmed', device_hlc: '1.1', observed_at: absurd, scan_id: `s${i}`, at, direction }
      const alone = g % 4 === 0
      const nobody = b % 5 === 0 ? { ticket: null, tier: null, occurrence: null } : { occurrence: f % 3 }
      const verdict = pick(['ADMIT', 'EXIT', 'BLOCKED', 'ALREADY_USED'], d)
      return ['scan', { ...passed, ...more, ...nobody, slot: g % 3 ? 'x' : null, offline_admitted: alone, verdict }]
    }
    case 1:
      return [
        'supervisor_admit',
        { ...passed, ...who, at, direction: 'in', occurrence: f % 3, reason: 'r', scan_id: `s${a}` },
      ]
    case 2:
      return [
        'undo',
        {
          ...passed,
          ...who,
          at,
          direction: 'in',
          occurrence: f % 3,
          reason: '',
          scan_id: 's',
          supervised: false,
          undone: 0,
        },
      ]
    case 3:
      return [
        'flag',
        {
          device: a % 2 ? 'd' : null,
          flag: `f${i}`,
          flag_kind: 'double_use',
          scans: ['a', 'b'],
          ticket: b % 2 ? 't' : null,
        },
      ]
    case 4: {
      const flags = earlier(3)
      if (flags.length === 0) return ['clock_fence', {}]
      const flag = `f${pick(flags, a)}`
      if (b % 3 === 0)
        return ['flag', { device: null, flag, flag_kind: 'double_use', scans: ['a', 'b', 'c'], ticket: 't' }]
      return ['flag_resolved', { ...who, flag, resolution: pick(['fraud', 'same_person'], c), note_hash: null }]
    }
    case 5: {
      const zone = pick(['arena', null], c)
      return [
        'incident',
        {
          at,
          checkpoint,
          device: 'd',
          gate: 'a',
          incident: `i${i}`,
          incident_kind: 'fire',
          zone,
          queue_rate_per_min: a / 7,
        },
      ]
    }
    case 6: {
      const incidents = earlier(5)
      if (incidents.length === 0) return ['release', {}]
      const [action = '', to = ''] = pick(
        [
          ['acknowledge', 'acknowledged'],
          ['assign', 'assigned'],
          ['resolve', 'resolved'],
          ['cancel', 'cancelled'],
        ],
        b,
      )
      const assignee = action === 'assign' ? 'Team' : null
      return [
        'incident_action',
        { ...who, action, to, at, assignee, incident: `i${pick(incidents, a)}`, reason: c % 2 ? 'r' : null },
      ]
    }
    case 7: {
      const standing = earlier(7).at(-1)
      const replaces = standing === undefined || a % 2 ? null : `h${standing}`
      return ['hold', { ...who, at, expires_at: b % 2 ? at : null, gate: 'a', hold: `h${i}`, reason: 'r', replaces }]
    }
    case 8: {
      const standing = earlier(7).at(-1)
      return standing === undefined
        ? ['import', { added: 1 }]
        : ['hold_released', { ...who, at, gate: 'a', hold: `h${standing}`, reason: null }]
    }
    case 9:
      return ['mode', { ...who, mode: pick(['STRICT', 'DEGRADED'], a), reason: 'r' }]
    case 10: {
      const zones = [...TEST_EVENT.zones, { id: `z${a % 3}`, name: `Zone ${b}`, capacity: 1 + c }]
      const timezone = pick(['Europe/Lisbon', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York'], d)
      return ['event', { event: { ...TEST_EVENT, name: `Fair ${e}`, timezone, zones } as never }]
    }
    default:
      return [pick(['enrolment', 'device_revoked', 'export', 'seal', 'claim', 'erasure'], a), { ...who }]
  }
}
