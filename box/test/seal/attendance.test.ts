/**
 * A proof of attendance is checked with the box's verifier key and nothing else: by code that was written from RFC
 * 6962 and the C2SP texts for this test, not with ours, and with openssl for the signature.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import { fillLedger } from '../world/full-ledger.ts'
import { World } from '../world/world.ts'

const sha256 = (...parts: Uint8Array[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}
const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0

/** Ed25519 over a message (RFC 8032). */
function signatureHolds(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
  if (!HAS_OPENSSL) return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-openssl-'))
  try {
    const [key, text, signed] = ['key', 'text', 'signed'].map((name) => join(folder, name)) as [string, string, string]
    writeFileSync(key, spki)
    writeFileSync(text, message)
    writeFileSync(signed, signature)
    const args = ['-verify', '-pubin', '-inkey', key, '-keyform', 'DER', '-rawin', '-in', text, '-sigfile', signed]
    return spawnSync('openssl', ['pkeyutl', ...args]).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns size and root of a checkpoint that this key has signed; undefined for any other text */
function readCheckpoint(note: string, verifierKey: string): { size: number; root: Buffer } | undefined {
  // Base64 has pluses of its own.
  const [name = '', id = '', ...encodedKey] = verifierKey.split('+')
  const key = Buffer.from(encodedKey.join('+'), 'base64')
  if (
    sha256(Buffer.from(`${name}\n`), key)
      .toString('hex')
      .slice(0, 8) !== id
  )
    return undefined
  const split = note.lastIndexOf('\n\n')
  const text = note.slice(0, split + 1)
  for (const line of note.slice(split + 2).split('\n')) {
    const [dash, signer, encoded] = line.split(' ')
    const signature = Buffer.from(encoded ?? '', 'base64')
    if (dash !== '—' || signer !== name || signature.subarray(0, 4).toString('hex') !== id) continue
    if (!signatureHolds(key.subarray(1), Buffer.from(text), signature.subarray(4))) return undefined
    const [origin, size, root] = text.split('\n')
    return origin === name ? { size: Number(size), root: Buffer.from(root ?? '', 'base64') } : undefined
  }
  return undefined
}

/** The root that an entry's proof leads to: MTH of RFC 6962, 2.1, followed from the top down. */
function rootBy(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer {
  if (size === 1) {
    assert.equal(path.length, 0)
    return leaf
  }
  let left = 1
  while (left * 2 < size) left *= 2
  const sibling = path.at(-1) ?? assert.fail('the proof is too short')
  const below = path.slice(0, -1)
  return index < left
    ? sha256(Buffer.of(1), rootBy(leaf, index, left, below), sibling)
    : sha256(Buffer.of(1), sibling, rootBy(leaf, index - left, size - left, below))
}

/** Verifies a proof. @returns the ticket's entries, each of them in the log that the box has signed */
function check({ entries, checkpoint }: Attendance, verifierKey: string): Record<string, unknown>[] | undefined {
  const head = readCheckpoint(checkpoint, verifierKey)
  if (!head) return undefined
  const proven = entries.every(({ index, size, entry, leaf_hash, proof }) => {
    const leaf = sha256(Buffer.of(0), Buffer.from(entry, 'base64'))
    const path = proof.map((hash) => Buffer.from(hash, 'base64'))
    return (
      leaf.equals(Buffer.from(leaf_hash, 'base64')) &&
      size === head.size &&
      rootBy(leaf, index, size, path).equals(head.root)
    )
  })
  return proven ? entries.map(({ entry }) => JSON.parse(Buffer.from(entry, 'base64').toString())) : undefined
}

describe('a proven attendance', () => {
  let world: World
  let admin: GatehouseClient
  let key: string
  before(async () => {
    world = await World.open()
    admin = await fillLedger(world)
    key = (await admin.GET('/v1/meta')).data?.verifier_key ?? assert.fail()
  })
  after(() => world[Symbol.asyncDispose]())

  const ask = (id: string) => admin.GET('/v1/admin/attendance/{id}', { params: { path: { id } } })
  const attendance = async (id: string) => (await ask(id)).data ?? assert.fail(`nothing about ${id}`)
  const kinds = (entries: Record<string, unknown>[] | undefined) =>
    entries?.map(({ kind, verdict }) => (verdict ? `${kind} ${verdict}` : kind))

  it('has every entry about the ticket, in order, and verifies on its own', async () => {
    const expected: Record<string, [boolean, unknown[]]> = {
      'DAILY-1': [true, ['scan ADMIT', 'undo', 'scan ADMIT']],
      'ONCE-1': [true, ['scan ADMIT', 'scan ALREADY_USED', 'scan ALREADY_USED', 'flag']],
      'PAST-1': [false, ['scan NOT_VALID_NOW', 'supervisor_admit NOT_VALID_NOW', 'undo']],
      'FUTURE-1': [true, ['scan NOT_VALID_NOW', 'supervisor_admit NOT_VALID_NOW']],
      'FLEX-1': [true, ['scan ADMIT', 'scan EXIT', 'scan ADMIT']],
      'PENDING-1': [false, ['scan NOT_PAID']],
      'ONCE-2': [false, ['ticket_revoked']],
      'CREW-1': [false, ['claim', 'release', 'ticket_revoked', 'ticket_reinstated']],
      'PHONE-1': [true, ['claim', 'scan ADMIT']],
    }
    for (const [code, [attended, entries]] of Object.entries(expected)) {
      const answer = await attendance(code)
      assert.equal(answer.attended, attended, code)
      assert.deepEqual(kinds(check(answer, key)), entries, code)
    }
  })

  it('covers the latest entry, and is the same by ref and by ticket id', async () => {
    await using device = await world.device()
    await device.scan('ONCE-2')
    const [byCode, byId] = [await attendance('ONCE-2'), await attendance(world.ticketIdOf('ONCE-2'))]
    const told = check(byCode, key)
    assert.deepEqual(kinds(told), ['ticket_revoked', 'scan REVOKED'])
    assert.deepEqual(byId.entries, byCode.entries)
    assert.deepEqual((await attendance(String(told?.[0]?.ticket))).entries, byCode.entries)
  })

  it('fails to verify when anything in it is changed', async () => {
    const answer = await attendance('ONCE-1')
    const spoil = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    const [one, ...others] = answer.entries as [Attendance['entries'][number]]
    const spoilt: Partial<Attendance['entries'][number]>[] = [
      { entry: spoil(one.entry, 40) },
      { leaf_hash: spoil(one.leaf_hash, 3) },
      { index: one.index ^ 1 },
      { size: one.size + 1 },
      { proof: [...one.proof.slice(0, -1), spoil(one.proof.at(-1) ?? '', 5)] },
    ]
    assert.ok(check(answer, key))
    for (const change of spoilt) {
      assert.equal(
        check({ ...answer, entries: [{ ...one, ...change }, ...others] }, key),
        undefined,
        Object.keys(change)[0],
      )
    }
    for (const at of [0, answer.checkpoint.indexOf('\n') + 1, answer.checkpoint.length - 20]) {
      assert.equal(check({ ...answer, checkpoint: spoil(answer.checkpoint, at) }, key), undefined, `checkpoint ${at}`)
    }
    assert.equal(check(answer, spoil(key, key.length - 9)), undefined)
  })

  it('is refused for an unknown ticket', async () => {
    const { error, response } = await ask('NOBODY')
    assert.deepEqual([response.status, error?.code], [404, 'not_found'])
  })

  it('verifies against every head that the box has signed', async () => {
    const answers = await Promise.all(
      [{ actor: 'Tess Kahn' }, null].map((body) => admin.POST('/v1/admin/seal', { body })),
    )
    for (const { data, response } of answers) {
      assert.equal(response.status, 201)
      const head = readCheckpoint(data?.checkpoint ?? '', key)
      assert.deepEqual([head?.size, head?.root.toString('base64')], [data?.size, data?.root])
    }
    assert.notEqual(answers[0]?.data?.size, answers[1]?.data?.size)
  })
})
