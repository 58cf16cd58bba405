import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '../../log.ts'
import { parseLogLine, ServerChild } from './child.ts'

for (const [line, level, text] of [
  ['[12] [INF] Server is ready', 'debug', 'Server is ready'],
  ['[12] [WRN] Waiting', 'warn', 'Waiting'],
  ['[12] [ERR] to "nats-route://route:word@10.0.0.1:6222"', 'error', 'to "nats-route://10.0.0.1:6222"'],
  ['[12] [FTL] no', 'error', 'no'],
  ['nats-server: cannot', 'error', 'nats-server: cannot'],
  ['', 'error', ''],
] as const) {
  test(`the server's line "${line}" is ${level}`, () => assert.deepEqual(parseLogLine(line), { level, text }))
}

/** A program that does as a test says in place of nats-server, and what a box logs of it. */
class Stage implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-child-'))
  readonly lines: { event: string; again_in_ms?: number }[] = []
  readonly ports: number[] = []
  #child: ServerChild | undefined

  start(script: string): ServerChild {
    const file = join(this.folder, 'nats-server')
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
    mkdirSync(join(this.folder, 'ports'), { recursive: true })
    const sink = new Writable({
      write: (chunk, _, done) => {
        this.lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    this.#child = new ServerChild({
      file,
      configPath: join(this.folder, 'nats.conf'),
      pidPath: join(this.folder, 'pid'),
      portsFolder: join(this.folder, 'ports'),
      logger: createLogger('debug', sink),
      monotonic: () => performance.now(),
      onStart: async () => {},
      onListening: (port) => this.ports.push(port),
    })
    return this.#child
  }

  async until(isTrue: () => boolean): Promise<void> {
    for (const end = performance.now() + 60_000; !isTrue(); await sleep(10)) {
      if (performance.now() > end) throw new Error(`It did not come to pass: ${JSON.stringify(this.lines)}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child?.[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const SAY_PORT = 'printf \'{"nats":["nats://127.0.0.1:4321"]}\' > "$(dirname "$2")/ports/x_$$.ports"'

test('a server that ends comes back, later each time', async () => {
  await using stage = new Stage()
  stage.start('exit 3')
  const waits = () => stage.lines.filter(({ event }) => event === 'nats_ended').map((line) => line.again_in_ms)
  await stage.until(() => waits().length >= 3)
  assert.deepEqual(waits().slice(0, 3), [250, 500, 1000])
})

test('one that listens says where, each time that it starts', async () => {
  await using stage = new Stage()
  const child = stage.start(`${SAY_PORT}\nexec sleep 60`)
  await stage.until(() => stage.ports.length === 1)
  process.kill(child.pid ?? 0, 'SIGKILL')
  await stage.until(() => stage.ports.length === 2)
  await child.restart()
  await stage.until(() => stage.ports.length === 3)
  assert.deepEqual(stage.ports, [4321, 4321, 4321])
})

test('one that gives up saying where it listens is started again', async () => {
  await using stage = new Stage()
  const once = `[ -e "$(dirname "$2")/was-here" ] || { touch "$(dirname "$2")/was-here"
    echo "[$$] [ERR] Unable to resolve the ports in the specified time" >&2; exec sleep 60; }`
  stage.start(`${once}\n${SAY_PORT}\nexec sleep 60`)
  await stage.until(() => stage.ports.length === 1)
  assert.deepEqual(
    stage.lines.map(({ event }) => event),
    ['nats', 'nats_ended'],
  )
})

test('one that is ended does not come back, and does not outlive the box', async () => {
  await using stage = new Stage()
  const child = stage.start(`${SAY_PORT}\nexec sleep 60`)
  await stage.until(() => stage.ports.length === 1)
  const { pid = 0 } = child
  await child.stop()
  assert.throws(() => process.kill(pid, 0))
  await sleep(600)
  assert.equal(child.pid, undefined)
})

test('what it says again and again is logged once', async () => {
  await using stage = new Stage()
  stage.start(`for i in 1 2 3; do echo "[$$] [ERR] attempt $i" >&2; done\n${SAY_PORT}\nexec sleep 60`)
  await stage.until(() => stage.ports.length === 1 && stage.lines.length > 0)
  await sleep(100)
  assert.equal(stage.lines.filter(({ event }) => event === 'nats').length, 1)
})

test('one that an earlier life of the box has left behind is ended first, and nobody else is', async () => {
  await using stage = new Stage()
  const config = join(stage.folder, 'nats.conf')
  const left = running(config)
  const stranger = running('somebody else')
  try {
    writeFileSync(join(stage.folder, 'pid'), String(left.pid))
    stage.start(`${SAY_PORT}\nexec sleep 60`)
    if (left.exitCode === null && left.signalCode === null) await once(left, 'exit')
    assert.equal(left.signalCode, 'SIGKILL')
    await stage.until(() => stage.ports.length === 1)
    writeFileSync(join(stage.folder, 'pid'), String(stranger.pid))
    await using second = new Stage()
    writeFileSync(join(second.folder, 'pid'), readFileSync(join(stage.folder, 'pid')))
    second.start(`${SAY_PORT}\nexec sleep 60`)
    await second.until(() => second.ports.length === 1)
    assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null])
  } finally {
    for (const each of [left, stranger]) each.kill('SIGKILL')
  }
})

/** A process that has this among its words. */
function running(word: string): ChildProcess {
  return spawn('tail', ['-f', '/dev/null', word], { stdio: 'ignore' })
}
