import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { freePorts } from './ports.ts'

const TAKE = `
  const { freePorts } = await import(${JSON.stringify(import.meta.resolve('./ports.ts'))})
  console.log(JSON.stringify(await freePorts(200, { folder: process.argv[1], among: JSON.parse(process.argv[2]) })))
  // Both live until both have taken theirs: a port of one that has ended is free.
  process.stdin.resume().once('end', () => process.exit())`

describe('ports for tests', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-ports-test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('that two processes take at once are different', async () => {
    // So few that they meet.
    const among = JSON.stringify(Array.from({ length: 800 }, (_, i) => 20_000 + i))
    const both = [1, 2].map(() =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', TAKE, folder, among]),
    )
    const said = both.map(({ child }) => new Promise<void>((resolve) => child.stdout?.once('data', () => resolve())))
    await Promise.race([Promise.all(said), Promise.all(both)])
    for (const { child } of both) child.stdin?.end()
    const taken = (await Promise.all(both)).flatMap(({ stdout }) => JSON.parse(stdout) as number[])
    assert.equal(taken.length, 400)
    assert.equal(new Set(taken).size, 400)
  })

  it('that a process left behind are taken over, and those of one that lives are not', async () => {
    const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
    const among = [20_801, 20_802, 20_803]
    for (const port of among) writeFileSync(join(folder, String(port)), String(process.ppid))
    await assert.rejects(freePorts(1, { folder, among }), /no free port/)
    for (const port of among) writeFileSync(join(folder, String(port)), String(ended))
    assert.equal((await freePorts(1, { folder, among })).length, 1)
  })

  it('are not those on which somebody listens', async (t) => {
    const [port = 0] = await freePorts(1, { folder })
    const server = createServer()
    t.after(() => server.close())
    await new Promise<void>((resolve) => server.listen(port, resolve))
    rmSync(join(folder, String(port)))
    await assert.rejects(freePorts(1, { folder, among: [port] }), /no free port/)
  })
})
