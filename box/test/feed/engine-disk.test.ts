/** A full disk under the sinks' positions: delivery goes on, and the statistics say why more events would be redelivered. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Engine } from '../../src/feed/engine/engine.ts'
import { until } from '../world/until.ts'
import { EngineFolder } from './running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'
import { ScriptedSource, transaction } from './scripted-source.ts'

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096, 1))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}

it('a full disk stops no delivery, and is logged once (fault 30)', async (t: TestContext) => {
  using folder = new EngineFolder()
  const disk = join(folder.path, 'disk')
  mkdirSync(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0) {
    return t.skip('this process may not mount a file system')
  }
  try {
    const positionsPath = join(disk, 'positions.json')
    const source = new ScriptedSource({ log: [transaction(16n, ['before'])] })
    const sink = new ScriptedSink()
    await using engine = new Engine({
      source,
      sinks: [serve(sink, {})],
      positionsPath,
      log: folder.log,
      random: Math.random,
      now: Date.now,
      monotonic: () => performance.now(),
    })
    await engine.start()
    const saved = () => readdirSync(disk).includes('positions.json') && readFileSync(positionsPath, 'utf8')
    await until(() => String(saved()).includes('0/10:0'))

    fill(join(disk, 'filler'))
    for (let i = 2n; i < 6n; i++) {
      source.log.push(transaction(i * 16n, ['while the disk is full']))
      await until(() => source.slot.confirmed === i * 16n + 8n)
      await until(() => engine.stats().positionsError !== null)
      await sleep(600)
    }
    assert.match(engine.stats().positionsError ?? '', /^ENOSPC/)
    assert.equal(engine.stats().sinks[0]?.lastError, null)
    assert.equal(folder.lines.filter(({ event }) => event === 'positions_not_saved').length, 1)
    assert.deepEqual(readdirSync(disk).sort(), ['filler', 'positions.json'], 'no remains of what failed')
    assert.match(String(saved()), /0\/10:0/, 'what was there is whole')

    rmSync(join(disk, 'filler'))
    source.log.push(transaction(16n * 16n, ['afterwards']))
    await until(() => engine.stats().positionsError === null)
    await until(() => String(saved()).includes('0/100:0'))
  } finally {
    spawnSync('umount', ['--lazy', disk])
  }
})
