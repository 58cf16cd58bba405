/**
 * Files of an earlier Gatehouse, each read by today's code and re-encoded to the same bytes. What is in
 * `golden/`, and how it came about, is in its README.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { copyFileSync, createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { ENTRY_KINDS } from '@gatehouse/proto/wire/entries.ts'
import type { NatsConnection } from '@nats-io/transport-node'
import Sqlite from 'better-sqlite3'
import { stageBackup } from '../src/backup/backup.ts'
import { readManifest } from '../src/backup/manifest.ts'
import { unpackBackup } from '../src/backup/unpack.ts'
import { restoreBackup } from '../src/boot/restore.ts'
import { openAuthority } from '../src/ca/authority.ts'
import { inviteText, readInviteText } from '../src/ca/box-invite.ts'
import { Flags } from '../src/cases/flags.ts'
import { Overrides } from '../src/cases/overrides.ts'
import { asc, eq } from '../src/drizzle/core.ts'
import { type Event, parseEvent } from '../src/event/event.ts'
import { recordEvent } from '../src/event/recorded.ts'
import { formatPositions, parsePositions } from '../src/feed/engine/positions-file.ts'
import { readSlotFile, writeSlotFile } from '../src/feed/sources/postgres/slot-file.ts'
import { isAnotherIncarnation } from '../src/feed/sources/sqlite/incarnation.ts'
import { readMemory, writeMemory } from '../src/feed/sources/sqlite/memory-file.ts'
import { Slot } from '../src/feed/sources/sqlite/slot.ts'
import { openDb, openSnapshot } from '../src/ledger/db.ts'
import type { EntryKind } from '../src/ledger/entries.ts'
import { readValue, writeValue } from '../src/ledger/identity.ts'
import { openLedger } from '../src/ledger/open.ts'
import { boxes, journal, movements, peerJournal, peerSeals, seals, tickets } from '../src/ledger/schema.ts'
import { LiveScans } from '../src/live-scans.ts'
import { boxKeyOf } from '../src/mesh/encryption/box-key.ts'
import { encryptContent } from '../src/mesh/encryption/encrypted-content.ts'
import { makeGroupKey, openGroupKey } from '../src/mesh/encryption/group-key.ts'
import { Keyring } from '../src/mesh/encryption/keyring.ts'
import { type JoinRequest, joinRequest, requireProof } from '../src/mesh/membership/join-request.ts'
import { replicatedCounts } from '../src/mesh/membership/topology-exchange.ts'
import { wasRemoved } from '../src/mesh/removals.ts'
import { applyBatch, type BatchDeps } from '../src/mesh/replication/batch.ts'
import {
  decodePage,
  decodePullRequest,
  encodeEnvelope,
  encodePage,
  encodePullRequest,
} from '../src/mesh/replication/envelope.ts'
import { natsTransport } from '../src/mesh/replication/nats-transport.ts'
import { JournalPublisher } from '../src/mesh/replication/publisher.ts'
import { isShaped } from '../src/mesh/replication/shapes.ts'
import { type MessageContext, openMessage, signMessage } from '../src/mesh/replication/signed-message.ts'
import { openRecord, sealRecord } from '../src/mesh/reservation/signed-record.ts'
import { streamSubjects } from '../src/mesh/reservation/subjects.ts'
import { hasSignedKeys, withSignature } from '../src/mesh/signed-keys.ts'
import { boxOf, openTopology, readTopology, signedTopology, signTopology, withAddress } from '../src/mesh/topology.ts'
import { Scans } from '../src/rights/scans.ts'
import { openCheckpoint, signCheckpoint } from '../src/seal/checkpoint.ts'
import { exportChunks } from '../src/seal/export/export.ts'
import { readEntry } from '../src/seal/fact.ts'
import { readVerifierKey } from '../src/seal/note.ts'
import { keysOf, signingKey } from '../src/seal/verifier-key.ts'
import { verifyLedger } from '../src/seal/verify.ts'
import { CodeReader } from '../src/tickets/codes.ts'
import { Tickets } from '../src/tickets/tickets.ts'
import { TicketVersions } from '../src/tickets/versions.ts'
import { verifyExport } from '../verify-export.ts'
import { NEWER } from './golden/newer.ts'
import { Wires } from './mesh/wires.ts'
import { storedScans } from './world/stored-scans.ts'

const GOLDEN = join(import.meta.dirname, 'golden')
const VERIFY_EXPORT = join(import.meta.dirname, '../verify-export.ts')
const EVENT = 'test-fair'
/** Later than anything in the files. */
const NOW = Date.parse('2036-07-04T12:00:00Z')
const silent = { info() {}, warn() {}, error() {} }

const golden = (name: string) => readFileSync(join(GOLDEN, name))
let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-golden-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** A copy of a ledger, opened and brought up to date as a box does it. */
function openGolden(name: 'one-box' | 'two-boxes') {
  const dataDir = mkdtempSync(join(folder, `${name}-`))
  const path = join(dataDir, 'ledger.db')
  copyFileSync(join(GOLDEN, `${name}.db`), path)
  const opened = openLedger({ dataDir, eventId: EVENT, wallClock: () => NOW })
  return {
    ...opened,
    path,
    keys: keysOf(EVENT, opened.identity),
    drizzle: opened.ledger.db.drizzle,
    [Symbol.dispose]: () => opened.ledger[Symbol.dispose](),
  }
}

function findingsOf(path: string): readonly unknown[] {
  using snapshot = openSnapshot(path)
  return verifyLedger(snapshot).problems
}

for (const name of ['one-box', 'two-boxes'] as const)
  describe(`the ledger ${name}`, () => {
    it('opens and verifies', () => {
      using opened = openGolden(name)
      assert.deepEqual(findingsOf(opened.path), [])
      const before = new Sqlite(join(GOLDEN, `${name}.db`), { readonly: true })
      const count = before.prepare('SELECT count(*) FROM journal').pluck().get()
      before.close()
      assert.equal(opened.ledger.size, count, 'opening has written nothing')
    })

    it('has entries that are read and re-encoded to the same bytes', () => {
      using opened = openGolden(name)
      const heard = opened.drizzle.select().from(peerJournal).all()
      const entries = [...opened.drizzle.select().from(journal).orderBy(asc(journal.index)).all(), ...heard]
      for (const { index, hlc, kind, bytes } of entries) {
        const said = readEntry(bytes) ?? assert.fail(`${kind} ${index}`)
        assert.deepEqual([said.index, said.hlc, said.kind], [index, hlc, kind])
        assert.ok(isShaped(kind, said), `${kind} ${index}`)
        assert.deepEqual(Buffer.from(canonicalJson(said)), bytes)
      }
      const read = opened.ledger.read(0, 1_000_000)
      assert.deepEqual(
        read.map(({ fields }) => canonicalJson(fields)),
        read.map(({ bytes }) => bytes.toString()),
      )
    })

    it('has seals that are signed to the same notes', () => {
      using opened = openGolden(name)
      const { logKey: key, logVerifierKey, origin } = opened.keys
      const own = opened.drizzle.select().from(seals).all()
      assert.ok(own.length > 1)
      for (const { size, root, note } of own) {
        const { size: signed } = openCheckpoint(note, readVerifierKey(logVerifierKey))
        assert.equal(signed, size)
        assert.equal(signCheckpoint({ size, root }, { name: origin, key }), note)
      }
    })

    it('exports to the same bytes, and the export is genuine', () => {
      using opened = openGolden(name)
      const file = golden(`${name}.jsonl`)
      const lines = file.toString().trimEnd().split('\n')
      const { entries: size } = JSON.parse(lines[0] ?? '')
      const { software, made_at } = JSON.parse(lines.at(-2) ?? '')
      const { origin, logKey, logVerifierKey: key } = opened.keys
      const others = opened.drizzle.select().from(boxes).all()
      const otherKeys = others.filter(({ logKey }) => logKey !== key).map(({ logKey }) => logKey)
      const findings = verifyExport([file], { key, otherKeys })
      assert.deepEqual([findings.genuine, findings.problems], [true, []])
      const keyOptions = otherKeys.flatMap((other) => ['--other-key', other])
      const args = [VERIFY_EXPORT, join(GOLDEN, `${name}.jsonl`), '--key', key, ...keyOptions]
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      assert.deepEqual([status, stderr], [0, ''])
      // When it was made, and by which version, is the file's own.
      const cover = { origin, signingKey: logKey, software, madeAt: Date.parse(made_at), size }
      const again = Buffer.concat([...exportChunks(opened.ledger.db, cover)])
      assert.equal(again.toString(), file.toString())
    })
  })

it('every kind of entry is in the golden files', () => {
  const found = new Set<string>()
  for (const name of ['one-box', 'two-boxes'] as const) {
    using opened = openGolden(name)
    for (const { kind } of opened.ledger.read(0, 1_000_000)) found.add(kind)
  }
  const known: readonly EntryKind[] = ENTRY_KINDS
  assert.deepEqual(
    known.filter((kind) => !found.has(kind)),
    NEWER,
  )
  assert.deepEqual(
    [...found].filter((kind) => !ENTRY_KINDS.some((name) => name === kind)),
    [],
    'and no kind was forgotten',
  )
})

describe('the backup', () => {
  const archive = join(GOLDEN, 'backup.tar.gz')

  it('is unpacked, and staged with the same files', async () => {
    const staging = mkdtempSync(join(folder, 'unpacked-'))
    const manifest = await unpackBackup(createReadStream(archive), archive, staging)
    const text = readFileSync(join(staging, 'manifest.json'), 'utf8')
    assert.deepEqual(readManifest(text), manifest)
    assert.equal(`${JSON.stringify(manifest, null, 2)}\n`, text)
    const [dataDir, eventDir] = [join(staging, 'data'), join(staging, 'event')]
    const again = await stageBackup({ dataDir, eventDir, now: Date.parse(manifest.made_at) })
    // The ledger is copied by SQLite, which notes its own version in the file; the software names its own, too.
    const comparable = (of: typeof manifest) => ({
      ...{ ...of, software: '' },
      files: of.files.map((file) => (file.path === 'data/ledger.db' ? { path: file.path, bytes: file.bytes } : file)),
    })
    assert.deepEqual(comparable(again.manifest), comparable(manifest))
    assert.deepEqual(Object.keys(again.manifest).sort(), Object.keys(manifest).sort())
  })

  it('is restored: the ledger verifies, the authority and the token are there', async () => {
    const place = { dataDir: join(folder, 'back/data'), eventDir: join(folder, 'back/event') }
    const { manifest, boxId } = await restoreBackup(archive, { ...place, now: () => NOW, replace: false, actor: 'Rui' })
    assert.equal(boxId, manifest.box_id)
    const path = join(place.dataDir, 'ledger.db')
    assert.deepEqual(findingsOf(path), [])
    using snapshot = openSnapshot(path)
    const [last] = snapshot.drizzle.select().from(journal).where(eq(journal.index, manifest.entries)).all()
    assert.equal(last?.kind, 'restore')
    const held = snapshot.drizzle.select().from(tickets).where(eq(tickets.code, 'ONCE-1')).get()
    assert.deepEqual([held?.holderName, held?.email, held?.seat], ['Ana Reis', 'ana@mail.example', 'Row 1, seat 2'])
    assert.match(readFileSync(join(place.dataDir, 'admin-token'), 'utf8'), /^[A-Za-z0-9_-]{32,}\n?$/)
    const authority = await openAuthority({
      ...{ dir: join(place.dataDir, 'ca'), eventId: EVENT, eventName: '', hostname: '', endsAt: NOW, now: () => NOW },
    })
    const fingerprint = manifest.files.find(({ path }) => path === 'data/ca/authority.pem')
    assert.ok(fingerprint && authority.certificate.startsWith('-----BEGIN CERTIFICATE-----'))
    // The golden ledger is this one with what came after.
    using later = openGolden('one-box')
    const was = snapshot.drizzle.select().from(journal).orderBy(asc(journal.index)).limit(manifest.entries).all()
    assert.deepEqual(
      later.ledger.read(0, manifest.entries).map(({ bytes }) => bytes.toString()),
      was.map(({ bytes }) => bytes.toString()),
    )
  })
})

describe('messages between boxes', () => {
  const envelopes: { kind: string; text: string }[] = golden('envelopes.jsonl')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const all = (...kinds: string[]) => {
    const texts = envelopes.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    assert.ok(texts.length > 0, kinds.join())
    return texts
  }
  const answers = () =>
    envelopes.flatMap(({ kind, text }) => {
      const [, box, question] = /^answer of (\S+) to (.*)$/.exec(kind) ?? []
      return box !== undefined && question !== undefined ? [{ box, question, text }] : []
    })

  it('has only kinds that are tested here', () => {
    const kinds = new Set(envelopes.map(({ kind }) => kind.replace(/ of .*/, '')))
    const tested = ['answer', 'ask', 'claim', 'claim names', 'exchange', 'invite', 'join', 'page', 'push', 'topology']
    assert.deepEqual([...kinds].sort(), [...tested, 'urgent'])
  })

  it('pages are read and re-encoded to the same bytes', () => {
    const texts = [...all('page', 'push', 'urgent'), ...answers().map(({ text }) => text)]
    const rows = new Set<string>()
    for (const text of texts) {
      const { box } = JSON.parse(text)
      const { size, epoch, entries, more, seal } = decodePage(Buffer.from(text), box)
      for (const entry of entries) for (const row of Object.keys(entry.rows)) rows.add(row)
      const again = entries.map((entry) =>
        encodeEnvelope(entry, Object.keys(entry.rows).length === 0 ? undefined : entry.rows),
      )
      const head = { box, size, ...(more !== undefined && { more }), ...(seal !== undefined && { seal }) }
      // In the order of the fields.
      const page = encodePage({ ...head, ...(epoch !== undefined && { epoch }), entries: again })
      assert.equal(Buffer.from(page).toString(), text)
    }
    const kinds = ['announcement', 'device', 'holds', 'incident', 'note', 'override', 'passage', 'scan', 'tickets']
    assert.deepEqual([...rows].sort(), kinds, 'rows of every kind')
  })

  it('pull requests are read and re-encoded to the same bytes', () => {
    for (const text of all('ask'))
      assert.equal(Buffer.from(encodePullRequest(decodePullRequest(Buffer.from(text)))).toString(), text)
  })

  it('answers from the same ledger are the same bytes', () => {
    for (const name of ['one-box', 'two-boxes'] as const) {
      using opened = openGolden(name)
      const { boxId: self } = opened.identity
      const epoch = readTopology(opened.ledger.db, opened.keys.eventKey, EVENT)?.epoch
      const note = opened.drizzle.select().from(seals).orderBy(asc(seals.size)).all().at(-1)?.note
      const transport = new Wires().end(self)
      using sender = new JournalPublisher({
        ...{ ledger: opened.ledger, self, transport, epoch: () => epoch, newestSeal: () => note },
      })
      const own = answers().filter(({ box }) => box === self)
      assert.ok(own.length > 1)
      for (const { question, text } of own) {
        assert.equal(Buffer.from(sender.page(decodePullRequest(Buffer.from(question)))).toString(), text)
      }
    }
  })

  for (const name of ['one-box', 'two-boxes'] as const)
    it(`a new box that replicates the journals of ${name} reaches the same state`, async () => {
      using opened = openGolden(name)
      const from = answers().filter(({ box }) => box === opened.identity.boxId)
      const pages = from
        .filter(({ question }) => decodePullRequest(Buffer.from(question)).from === 0)
        .map(({ text }) => text)
      using fresh = await freshBox(opened)
      for (const text of pages) {
        const { box } = JSON.parse(text)
        const { entries, more } = decodePage(Buffer.from(text), box)
        assert.equal(more, undefined)
        fresh.ledger.transact(() => applyBatch({ box, entries, incomplete: false }, fresh.deps))
        const told = fresh.drizzle.select().from(peerJournal).where(eq(peerJournal.box, box)).all()
        const theirs =
          box === opened.identity.boxId
            ? opened.ledger.read(0, 1_000_000)
            : opened.drizzle.select().from(peerJournal).where(eq(peerJournal.box, box)).all()
        const texts = (rows: readonly { index: number; bytes: Buffer }[]) =>
          rows.toSorted((one, other) => one.index - other.index).map(({ bytes }) => bytes.toString())
        assert.deepEqual(texts(told), texts(theirs))
      }
      assert.deepEqual(stateOf(fresh.drizzle), stateOf(opened.drizzle))
      assert.deepEqual(findingsOf(fresh.path), [])
    })

  it('the topology is opened, and signed to the same bytes', () => {
    using opened = openGolden('two-boxes')
    const { eventKey } = opened.keys
    for (const text of all('topology')) {
      const topology = openTopology(text, eventKey, EVENT)
      assert.deepEqual(
        topology.boxes.map(({ id }) => id),
        ['box-0', 'box-1'],
      )
      assert.equal(signTopology(topology, eventKey), text)
      assert.equal(signedTopology(opened.ledger.db), text)
      const { boxId: box } = opened.identity
      assert.deepEqual(all('exchange'), [
        JSON.stringify({ box, topology: text, heard: replicatedCounts(opened.ledger, box) }),
      ])
    }
    const theirs = opened.drizzle.select().from(boxes).where(eq(boxes.id, 'box-1')).get()
    for (const { note, size } of opened.drizzle.select().from(peerSeals).all()) {
      assert.equal(openCheckpoint(note, readVerifierKey(theirs?.logKey ?? '')).size, size)
    }
  })

  it('a topology of version 2, which says who was removed, is opened: whoever was, stays out', () => {
    using opened = openGolden('two-boxes')
    const { text } = JSON.parse(golden('envelopes-2.jsonl').toString())
    const topology = openTopology(text, opened.keys.eventKey, EVENT)
    const [removed] = JSON.parse(text).topology.gone
    assert.equal(removed.id, 'box-1')
    assert.ok(topology.gone?.length === 1 && wasRemoved(removed, topology.gone))
  })

  it('reservations of version 0.1, which nobody signed, are refused: they were in a stream of another name', () => {
    const names = streamSubjects('00112233445566778899aabbccddeeff', 7)
    for (const text of all('claim')) {
      const opened = openRecord(Buffer.from(text), names.rightSubject('a1'.repeat(16), 'arena'), {
        event: EVENT,
        keyOf: () => assert.fail('nobody is asked for a key'),
      })
      assert.deepEqual(opened, { refused: 'unsigned', by: null })
    }
    const [before = ''] = all('claim names')
    const { stream, subjects }: { stream: string; subjects: string[] } = JSON.parse(before)
    assert.ok(stream !== names.stream && names.subjects.every((subject) => !subjects.includes(subject)))
  })

  it('reservations, their subjects and the list of boxes of version 3 are opened, and made to the same bytes', () => {
    const lines = golden('envelopes-3.jsonl')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const ofKind = (kind: string) => lines.flatMap((line): string[] => (line.kind === kind ? [line.text] : []))
    const key = (name: string) => signingKey(createHash('sha256').update(name).digest())
    const names = streamSubjects('00112233445566778899aabbccddeeff', 7)
    const subject = names.rightSubject('a1'.repeat(16), 'arena')
    const { stream, subjects } = names
    const said = JSON.stringify({ stream, subjects, right: subject, probe: names.probeSubject('box-1') })
    assert.deepEqual(ofKind('reservation names'), [said])
    const kinds = ofKind('reservation').map((text) => {
      const keyOf = (box: string) => (box === 'box-0' ? createPublicKey(key(box)) : undefined)
      const opened = openRecord(Buffer.from(text), subject, { event: EVENT, keyOf })
      assert.ok('record' in opened)
      const again = sealRecord(opened.record, subject, { event: EVENT, by: 'box-0', key: key('box-0') })
      assert.equal(Buffer.from(again).toString(), text)
      return opened.record.kind
    })
    assert.deepEqual(kinds, ['claim', 'release'])
    const [text = ''] = ofKind('topology')
    const topology = openTopology(text, createPublicKey(key('event')), EVENT)
    assert.deepEqual([topology.v, topology.gone?.length, topology.boxes[0]?.link_keys?.tls.length], [3, 1, 64])
    assert.equal(signTopology(topology, key('event')), text)
  })

  it('invites and requests to join are read and re-encoded to the same bytes', () => {
    const invites = all('invite').map((text) => {
      const invite = readInviteText(text) ?? assert.fail(text)
      assert.equal(inviteText(invite), text)
      return invite
    })
    const fingerprint = `sha256:${'ab'.repeat(32)}`
    const expiresAt = Date.parse('2026-07-04T12:00:00Z')
    const invite = { url: 'https://10.0.0.2:8443', fingerprint, code: 'c'.repeat(22), expiresAt, eventId: EVENT }
    assert.deepEqual(
      invites,
      ['box', 'data-centre', 'voter'].map((as) => ({ ...invite, as })),
    )
    for (const text of all('join')) {
      const request: JoinRequest = JSON.parse(text)
      requireProof(request, EVENT)
      using opened = openGolden('two-boxes')
      // With another key only the proof differs.
      const again = joinRequest(request.code, request.box, opened.keys.logKey)
      assert.equal(JSON.stringify({ ...again, proof: request.proof }), text)
    }
  })

  it('signed messages are opened, and signed again to the same bytes', () => {
    const lines = golden('signed-messages.jsonl').toString().trimEnd().split('\n')
    const abouts = lines.map((line) => {
      const { kind, to, question, seed, event, by, content, text } = JSON.parse(line)
      const context = {
        kind,
        ...(to && { to }),
        ...(question && { question: Buffer.from(question) }),
      } as MessageContext
      const key = signingKey(Buffer.from(seed, 'hex'))
      const opened = openMessage(Buffer.from(text), context, { event, by, keyOf: () => createPublicKey(key) })
      assert.equal(Buffer.from(opened.content).toString(), content)
      assert.equal(Buffer.from(signMessage(Buffer.from(content), context, { event, by, key })).toString(), text)
      return kind
    })
    assert.deepEqual(abouts, ['ask', 'answer', 'push', 'urgent'])
  })

  it('a list of version 3 with a group key, and what is encrypted with it, are opened, and made to the same bytes', () => {
    const lines = golden('encrypted.jsonl').toString().trimEnd().split('\n')
    const [list, group, ...messages] = lines.map((line) => JSON.parse(line))
    const digest = (name: string) => createHash('sha256').update(name).digest()
    const key = (name: string) => signingKey(digest(name))
    const topology = openTopology(list.text, createPublicKey(key('event')), EVENT)
    assert.equal(signTopology(topology, key('event')), list.text)
    assert.deepEqual(
      topology.boxes.map(({ id, role, dial, encryption_key }) => [id, role, dial, encryption_key !== undefined]),
      [
        ['box-0', 'core', undefined, true],
        ['box-1', 'core', undefined, true],
        ['box-2', 'voter', undefined, false],
        ['box-3', 'leaf', 'core', true],
      ],
    )
    assert.ok(wasRemoved({ id: 'box-4', log_key: 'any' }, topology.gone ?? []))
    let drawn = 0
    const random = (size: number) => digest(`random box-1 ${drawn++}`).subarray(0, size)
    const holder = (id: string) => ({ id, key: boxKeyOf(digest(`encryption ${id}`)), random })
    for (const id of ['box-0', 'box-1', 'box-3']) {
      const opened = openGroupKey(topology, holder(id)) ?? assert.fail(id)
      assert.deepEqual([opened.id, Buffer.from(opened.key).toString('hex')], [group.id, group.key])
    }
    assert.equal(openGroupKey(topology, holder('box-2')), undefined, 'it only votes')
    assert.deepEqual(makeGroupKey(topology, holder('box-1')), topology.group_key)
    const keyring = new Keyring(holder('box-3'), () => topology)
    for (const { content, nonce, encrypted, message } of messages) {
      const about = { event: EVENT, by: 'box-0', keyOf: () => createPublicKey(key('box-0')) }
      const opened = openMessage(Buffer.from(message, 'base64'), { kind: 'push' }, about)
      assert.equal(Buffer.from(opened.content).toString('base64'), encrypted)
      assert.equal(Buffer.from(keyring.decrypt(opened.content)).toString(), content)
      const groupKey = { id: group.id, key: new Uint8Array(Buffer.from(group.key, 'hex')) }
      const again = encryptContent(Buffer.from(content), groupKey, Buffer.from(nonce, 'hex'))
      assert.equal(Buffer.from(again).toString('base64'), encrypted)
      const signed = signMessage(again, { kind: 'push' }, { event: EVENT, by: 'box-0', key: key('box-0') })
      assert.equal(Buffer.from(signed).toString('base64'), message)
    }
    assert.equal(messages.length, 3)
  })

  it('a list of version 4, in which boxes have signed their keys, is opened, and made from that of version 3', () => {
    const textIn = (file: string) => JSON.parse(golden(file).toString().split('\n')[0] ?? '').text
    const key = (name: string) => signingKey(createHash('sha256').update(name).digest())
    const open = (text: string) => openTopology(text, createPublicKey(key('event')), EVENT)
    const text = textIn('envelopes-4.jsonl')
    const topology = open(text)
    assert.equal(signTopology(topology, key('event')), text)
    assert.deepEqual(
      topology.boxes.map((box) => hasSignedKeys(box, EVENT)),
      [true, true, false, false],
    )
    const again = ['box-0', 'box-1'].reduce(
      (list, id) => {
        const { key_signature } = withSignature(boxOf(list, id), EVENT, key(id)) ?? assert.fail(id)
        return withAddress(list, id, { key_signature: key_signature ?? assert.fail(id) })
      },
      open(textIn('encrypted.jsonl')),
    )
    assert.equal(signTopology(again, key('event')), text)
  })

  it('uses unchanged subjects', async () => {
    const subjects: string[] = []
    const nats = {
      subscribe: (subject: string) => ({ unsubscribe: () => void subjects.push(`subscribe ${subject}`) }),
      publish: (subject: string) => void subjects.push(`publish ${subject}`),
      requestMany: async function* (subject: string) {
        subjects.push(`request ${subject}`)
        yield { data: new Uint8Array() }
      },
      isClosed: () => false,
      // The part of a connection that the transport uses.
    } as unknown as NatsConnection
    const engine = { bulk: nats, urgent: nats, onLink: () => () => {} }
    {
      using transport = natsTransport({ engine, tag: '0011', self: 'box-0', liveScans: new LiveScans() })
      transport.answer(() => new Uint8Array())
      transport.onPush(() => {})
      transport.onUrgent(() => {})
      await transport.request('box-1', new Uint8Array(), (answer) => answer)
      transport.push(new Uint8Array())
      transport.pushUrgent(new Uint8Array())
    }
    assert.deepEqual(subjects, [
      ...['request gh.0011.journal.box-1', 'publish gh.0011.new.box-0', 'publish gh.0011.urgent.box-0'],
      ...['subscribe gh.0011.journal.box-0', 'subscribe gh.0011.new.*', 'subscribe gh.0011.urgent.*'],
    ])
  })
})

describe("the change feed's files", () => {
  it('positions are read, and those of their second version re-encoded to the same bytes', () => {
    const first = parsePositions(golden('positions.json').toString())
    const position = { commitLsn: 0x6b02afd3000000aen, index: 0 }
    assert.deepEqual(Object.fromEntries(first.sinks), { events: { position }, hook: { position } })
    const text = golden('positions-2.json').toString()
    const second = parsePositions(text)
    const { hook } = Object.fromEntries(second.sinks)
    assert.deepEqual([second.identity, hook?.position, hook?.paused], [first.identity, position, ''])
    assert.equal(formatPositions(second), text)
  })

  it('the state of a SQLite source is read, re-encoded to the same bytes, and that of the golden ledger', async () => {
    const memory = (await readMemory(join(GOLDEN, 'sqlite-source.json'), silent)) ?? assert.fail('no memory')
    const path = join(folder, 'state/sqlite-source.json')
    await writeMemory(path, memory, silent)
    assert.equal(readFileSync(path, 'utf8'), golden('sqlite-source.json').toString())
    using opened = openGolden('one-box')
    const sqlite = new Sqlite(opened.path)
    const slot = new Slot(sqlite)
    assert.equal(isAnotherIncarnation(memory, slot.read(), slot.lastSeq()), false)
    const { identity } = parsePositions(golden('positions.json').toString())
    assert.equal(identity, `sqlite/${slot.read().incarnation}`)
    assert.equal(slot.read().confirmed, memory.seq)
    sqlite.close()
  })

  it("a slot's file is read, and that of its second version re-encoded to the same bytes", async () => {
    const read = async (name: string) => (await readSlotFile(join(GOLDEN, name))) ?? assert.fail('no slot')
    const { acknowledged, publication, place } = await read('postgres-slot.json')
    assert.deepEqual([acknowledged, publication, place], [0x1a2b3c4d5en, 'gatehouse', undefined])
    const second = await read('postgres-slot-2.json')
    assert.ok(second.place)
    assert.equal(second.place.timeline, '3')
    const path = join(folder, 'slot.json')
    await writeSlotFile(path, { ...second, place: second.place })
    assert.equal(readFileSync(path, 'utf8'), golden('postgres-slot-2.json').toString())
  })
})

type Opened = ReturnType<typeof openGolden>

/** Another box of the same event, which has replicated nothing yet. */
async function freshBox(of: Opened) {
  const dataDir = mkdtempSync(join(folder, 'fresh-'))
  const path = join(dataDir, 'ledger.db')
  const value = (name: string) => readValue(of.ledger.db, name) ?? assert.fail(name)
  const db = openDb(path)
  db.transaction(() => {
    for (const name of ['event_id', 'manifest_salt']) writeValue(db, name, value(name))
    writeValue(db, 'key_box', Buffer.from(of.identity.keyBox))
    writeValue(db, 'box_id', Buffer.from('box-fresh'))
    const { refKey, signingSeed } = of.identity
    db.secrets.set({ ref_key: refKey, signing_seed: signingSeed, log_seed: Buffer.alloc(32, 7) })
  })
  db.close()
  const { ledger, clock, identity } = openLedger({ dataDir, eventId: EVENT, wallClock: () => NOW })
  const event = eventOf(of)
  await recordEvent(event, 'box-fresh', ledger)
  const { boxId: id } = of.identity
  const known = of.drizzle.select().from(boxes).all()
  const self = { id, name: id, logKey: of.keys.logVerifierKey }
  for (const row of [
    self,
    ...known.filter((one) => one.id !== id).map(({ id, name, logKey }) => ({ id, name, logKey })),
  ])
    ledger.db.drizzle.insert(boxes).values(row).run()
  const deps: BatchDeps = {
    ...{ ledger, clock, event, self: 'box-fresh' },
    tickets: new Tickets(ledger.db, identity.refKey),
    // No rotating code is read here: any event tag does.
    codes: new CodeReader(identity.manifestSalt, new Uint8Array(16)),
    scans: new Scans(ledger.db),
    flags: new Flags({ db: ledger.db, ledger, clock }),
    overrides: new Overrides(ledger.db),
    versions: new TicketVersions(ledger.db),
  }
  return { ledger, deps, path, drizzle: ledger.db.drizzle, [Symbol.dispose]: () => ledger[Symbol.dispose]() }
}

/** As its journal has it. */
function eventOf({ ledger }: Opened): Event {
  const said =
    ledger
      .read(0, 100)
      .find(({ kind }) => kind === 'event')
      ?.bytes.toString() ?? '{}'
  const parsed = parseEvent(JSON.parse(said).event)
  return 'event' in parsed ? parsed.event : assert.fail('an event that is none')
}

/** The state that every box of an event reaches. */
function stateOf(drizzle: Opened['drizzle']) {
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  const refs = new Map(
    drizzle
      .select()
      .from(tickets)
      .all()
      .map(({ id, ref }) => [id, ref]),
  )
  return {
    tickets: sorted(
      drizzle
        .select()
        .from(tickets)
        .all()
        .map(({ id, entry, sharedRef, ...row }) => row),
    ),
    movements: sorted(
      drizzle
        .select()
        .from(movements)
        .all()
        .map(({ ticket, entry, surplus, ...row }) => ({ ...row, ref: refs.get(ticket) })),
    ),
    scans: sorted(storedScans({ drizzle }).map(({ scanId, passed, response }) => ({ scanId, passed, response }))),
  }
}
