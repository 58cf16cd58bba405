/** Exports and reports of a running box: over HTTP, and by the command line beside it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { eq } from '../../src/drizzle/core.ts'
import { journal } from '../../src/ledger/schema.ts'
import type { Report } from '../../src/seal/report/shape.ts'
import { verifyExport } from '../../verify-export.ts'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { gatehouse as command } from '../world/command.ts'
import { fillLedger } from '../world/full-ledger.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

async function fromAdmin(world: World, path: string): Promise<Answer> {
  const tls = { ca: await world.ca }
  return ask(world.box.ports.https, path, { tls, headers: { authorization: `Bearer ${world.box.adminToken}` } })
}

async function keyOf(world: World): Promise<string> {
  const meta = await fetch(`http://127.0.0.1:${world.box.ports.http}/v1/meta`)
  return ((await meta.json()) as { verifier_key: string }).verifier_key
}

const gatehouse = (world: World, ...args: string[]) =>
  command(args, { environment: world.environment, cwd: world.folder })

/** A box at which a few people have passed, and one thing of each kind has happened. */
async function busyWorld(): Promise<World> {
  const world = await World.open()
  const { client, scan } = await world.device()
  await scan('ONCE-1')
  await scan('ONCE-1')
  await scan('FLEX-1')
  await scan('FLEX-1', { checkpoint: 'a-out' })
  await scan('ONCE-1', { checkpoint: 'b-in', offline_admitted: true })
  await client.POST('/v1/incidents', {
    body: {
      incident_id: 'i-1',
      kind: 'medical',
      checkpoint: 'a-in',
      note: 'A man, Jo Smith, fell',
      observed_at: new Date(world.now()).toISOString(),
    },
  })
  return world
}

/** An export whose reader has stopped in the middle. */
async function stalledExport(world: World): Promise<{ request: ClientRequest; answer: IncomingMessage }> {
  // More than the sockets of both sides take in.
  world.box.ledger.transact(() => {
    for (let i = 0; i < 20_000; i++) world.box.ledger.append('restart', { actor: 'x'.repeat(1000), address: '::1' })
  })
  const request = get(`https://127.0.0.1:${world.box.ports.https}/v1/admin/export`, {
    ca: await world.ca,
    agent: false,
    servername: 'localhost',
    headers: { authorization: `Bearer ${world.box.adminToken}` },
  })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.on('error', () => {})
  request.on('error', () => {})
  answer.pause()
  return { request, answer }
}

/** Threads of this process with the lowest priority. */
function threadsThatGiveWay(): number {
  return readdirSync('/proc/self/task').filter((thread) => givesWay(Number(thread))).length
}

function givesWay(thread: number): boolean {
  try {
    return getPriority(thread) === constants.priority.PRIORITY_LOW
  } catch {
    // It has ended since the folder was read.
    return false
  }
}

describe('an export over HTTP', () => {
  it('is genuine, is a file, and covers the entry that records it', async () => {
    await using world = await busyWorld()
    const answer = await fromAdmin(world, '/v1/admin/export?actor=Ana')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/octet-stream')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { entries, genuine, report, problems, unchecked } = verifyExport([Buffer.from(answer.text)], {
      key: await keyOf(world),
    })
    assert.deepEqual(problems, [])
    assert.ok(genuine)
    assert.deepEqual(unchecked.length, 5)
    const name = `gatehouse-test-fair-${world.box.boxId}-${entries}.jsonl`
    assert.equal(answer.headers['content-disposition'], `attachment; filename="${name}"`)
    assert.deepEqual(report.people, { arrived: 3, left: 1, inside: 2, tickets: 2, without_ticket: 0 })
    assert.equal((report.kinds as Record<string, number>).export, 1)
    const [journalled] = world.box.ledger
      .read(0, 1000)
      .filter(({ kind }) => kind === 'export')
      .map(({ bytes }) => JSON.parse(bytes.toString()))
    assert.deepEqual([journalled.actor, journalled.address], ['Ana', '127.0.0.1'])
    assert.doesNotMatch(answer.text, /Ana Reis|mail\.example|Jo Smith|ONCE-1/)
    for (const code of ['ONCE-1', 'FLEX-1']) assert.ok(!answer.text.includes(world.ticketIdOf(code)))
  })

  it('covers every kind of event at a box', async () => {
    await using world = await World.open()
    await fillLedger(world)
    const { text } = await fromAdmin(world, '/v1/admin/export')
    const { problems, report } = verifyExport([Buffer.from(text)], { key: await keyOf(world) })
    assert.deepEqual(problems, [])
    const { kinds, overrides, incidents, holds, flags, modes, devices } = report as unknown as Report
    assert.equal(overrides.length, (kinds.supervisor_admit ?? 0) + (kinds.undo ?? 0))
    for (const { actor, reason } of overrides) assert.deepEqual([actor, reason], ['Tess Kahn', 'a reason'])
    assert.equal(incidents.length, kinds.incident)
    assert.ok(incidents.some(({ state }) => state !== 'open'))
    assert.equal(holds.length, kinds.hold)
    assert.equal(modes.length, 1 + (kinds.mode ?? 0))
    assert.equal(devices.enrolled, kinds.enrolment)
    assert.ok(flags.some(({ state }) => state === 'resolved') && flags.some(({ state }) => state === 'open'))
    const page = await fromAdmin(world, '/v1/admin/report')
    assert.match(page.text, /Tess Kahn/)
  })

  it('can be made again and again while people enter', async () => {
    await using world = await busyWorld()
    const key = await keyOf(world)
    const device = await world.device()
    const scans = Array.from({ length: 40 }, () => device.scan('CREW-1'))
    const answers = await Promise.all([1, 2, 3].map(() => fromAdmin(world, '/v1/admin/export')))
    await Promise.all(scans)
    const sizes = answers.map(({ text }) => {
      const findings = verifyExport([Buffer.from(text)], { key })
      assert.deepEqual(findings.problems, [])
      return findings.entries
    })
    assert.equal(new Set(sizes).size, 3, 'each has told of itself')
    // The first export's sealed entries are the beginning of the last export's.
    const [first, last] = [Math.min(...sizes), Math.max(...sizes)]
    const noteOf = (size: number) =>
      JSON.parse(
        answers[sizes.indexOf(size)]?.text
          .trimEnd()
          .split('\n')
          .at(-3 - size) ?? '',
      )
    const lastFile = Buffer.from(answers[sizes.indexOf(last)]?.text ?? '')
    const { genuine, kept } = verifyExport([lastFile], { key, checkpoints: [noteOf(first).note] })
    assert.deepEqual([genuine, kept], [true, [first]])
  })

  it('is for the admin only', async () => {
    await using world = await World.open()
    const tls = { ca: await world.ca }
    const size = world.box.ledger.size
    for (const path of ['/v1/admin/export', '/v1/admin/report']) {
      assertFailure(await ask(world.box.ports.https, path, { tls }), 'bad_token')
      const authorization = `Bearer ${world.box.adminToken}`
      const head = await ask(world.box.ports.https, path, { tls, method: 'HEAD', headers: { authorization } })
      assert.equal(head.status, 404)
    }
    assert.equal(world.box.ledger.size, size)
    assertFailure(await fromAdmin(world, `/v1/admin/export?actor=${'x'.repeat(2000)}`), 'bad_request')
  })

  it('is made by a thread that gives way to scans, for as long as its reader takes', {
    skip: process.platform !== 'linux' && 'threads have priorities of their own on Linux alone',
  }, async () => {
    await using world = await World.open()
    const before = threadsThatGiveWay()
    const { request, answer } = await stalledExport(world)
    const during = threadsThatGiveWay()
    const { verdict } = await (await world.device()).scan('CREW-1')
    request.destroy()
    assert.equal(answer.statusCode, 200)
    // Beside it the box's own readers may have begun or ended.
    assert.ok(during > before, `${during} threads, ${before} before`)
    assert.equal(verdict, 'ADMIT')
    await until(() => threadsThatGiveWay() < during)
  })

  it('does not keep the box from closing when its reader stalls', async () => {
    await using world = await World.open()
    const { request } = await stalledExport(world)
    const size = world.box.ledger.size
    await world.restart()
    assert.ok(world.box.ledger.size >= size)
    request.destroy()
  })
})

describe('the report as a page', () => {
  it('holds every total, the newest seal and the key, and no script', async () => {
    await using world = await busyWorld()
    const { status, headers, text } = await fromAdmin(world, '/v1/admin/report')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    assert.match(text, /^<!doctype html>\n<html lang="en">/)
    assert.match(text, /<h1>Test Fair<\/h1>/)
    assert.match(text, /<b>3<\/b>people came in from outside/)
    assert.ok(text.includes(await keyOf(world)))
    assert.match(text, new RegExp(`gatehouse/test-fair/${world.box.boxId}\n${world.box.ledger.size}\n`))
    assert.doesNotMatch(text, /<script|javascript:|onerror|src=|Jo Smith|Ana Reis/)
  })

  it('escapes what staff have written', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const reason = `<img src=x onerror=alert(1)> & "quoted" </td>`
    await admin.PUT('/v1/admin/mode', { body: { mode: 'DEGRADED', actor: "<b>O'Neil</b>", reason } })
    const { text } = await fromAdmin(world, '/v1/admin/report')
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; &lt;/td&gt;'))
    assert.ok(text.includes('&lt;b&gt;O&#39;Neil&lt;/b&gt;'))
    assert.doesNotMatch(text, /<img|<b>O/)
  })
})

describe('the command line beside a running box', () => {
  it('exports, verifies and prints the page', async () => {
    await using world = await busyWorld()
    const made = await gatehouse(world, 'export', '--out', 'fair.jsonl', '--actor', 'Rui', '--json')
    assert.deepEqual([made.code, made.err], [0, ''])
    const { file, entries, verifier_key } = JSON.parse(made.out)
    assert.deepEqual([file, verifier_key], ['fair.jsonl', await keyOf(world)])
    const path = join(world.folder, file)
    assert.equal(statSync(path).mode & 0o077, 0)
    assert.ok(!existsSync(`${path}.part`))
    const last = world.box.ledger.read(entries - 1, 1).map(({ bytes }) => JSON.parse(bytes.toString()))
    assert.deepEqual(
      last.map(({ kind, actor, address }) => [kind, actor, address]),
      [['export', 'Rui', 'command line']],
    )

    const good = await gatehouse(world, 'verify-export', file, '--key', verifier_key)
    assert.deepEqual([good.code, good.err], [0, ''])
    assert.match(good.out, /^Genuine: event test-fair/)
    const page = await gatehouse(world, 'report', file, '--key', verifier_key)
    assert.deepEqual([page.code, page.err], [0, ''])
    assert.match(page.out, /^<!doctype html>[\s\S]*<b>3<\/b>people came in from outside[\s\S]*<\/html>\n$/)

    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(3000) ^ 1, 3000)
    writeFileSync(join(world.folder, 'forged.jsonl'), bytes)
    const bad = await gatehouse(world, 'verify-export', 'forged.jsonl', '--key', verifier_key, '--json')
    assert.deepEqual([bad.code, JSON.parse(bad.out).genuine], [1, false])
    const none = await gatehouse(world, 'report', 'forged.jsonl', '--key', verifier_key)
    assert.deepEqual([none.code, none.out], [1, ''])
    assert.match(none.err, /^NOT GENUINE/)
    for (const args of [
      ['verify-export'],
      ['verify-export', file],
      ['report', file],
      ['verify-export', 'x', '--key', verifier_key],
    ]) {
      const { code, out, err } = await gatehouse(world, ...args)
      assert.deepEqual([code, out], [2, ''], args.join(' '))
      assert.doesNotMatch(err, /^\s+at /m)
    }
  })

  it('names the file itself, overwrites none, and the box goes on sealing', async () => {
    await using world = await busyWorld()
    const made = await gatehouse(world, 'export')
    assert.equal(made.code, 0, made.err)
    const [file = ''] = readdirSync(world.folder).filter((name) => name.endsWith('.jsonl'))
    assert.match(file, /^gatehouse-test-fair-box-[0-9a-f]{8}-\d+\.jsonl$/)
    assert.ok(made.out.includes(`gatehouse verify-export ${file} --key gatehouse/test-fair/`))
    const again = await gatehouse(world, 'export', '--out', file)
    assert.deepEqual([again.code, again.out], [2, ''])
    assert.match(again.err, /already exists/)
    const exported = world.box.ledger.read(0, 1000).filter(({ kind }) => kind === 'export')
    assert.equal(exported.length, 1, 'and nothing is journalled of it')

    const later = await fromAdmin(world, '/v1/admin/export')
    const key = await keyOf(world)
    const { note } = verifyExport([readFileSync(join(world.folder, file))], { key })
    assert.ok(verifyExport([Buffer.from(later.text)], { key, checkpoints: [note] }).genuine)
  })
})

describe('a tampered ledger', () => {
  it('exports, and the export does not verify', async () => {
    await using world = await busyWorld()
    await fromAdmin(world, '/v1/admin/export')
    const [scan] = world.box.ledger.read(0, 1000).filter(({ kind }) => kind === 'scan')
    const changed = canonicalJson({ ...JSON.parse(scan?.bytes.toString() ?? ''), verdict: 'BLOCKED' })
    const { drizzle } = world.box.ledger.db
    drizzle
      .update(journal)
      .set({ bytes: Buffer.from(changed) })
      .where(eq(journal.index, scan?.index ?? -1))
      .run()
    const answer = await fromAdmin(world, '/v1/admin/export')
    // The box itself may notice that it would contradict what it has signed.
    if (answer.status === 409) return assertFailure(answer, 'conflict')
    const { genuine } = verifyExport([Buffer.from(answer.text)], { key: await keyOf(world) })
    assert.ok(!genuine)
  })
})
