/** A passphrase that is typed: on a terminal of script(1), which shows what a person would see. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { BIN } from '../world/command.ts'
import { World } from '../world/world.ts'

const PASSPHRASE = 'nine blue lanterns on the quay'
const NO_SCRIPT =
  (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) &&
  'script(1) of util-linux is not here'

describe('a passphrase is typed at a terminal', { skip: NO_SCRIPT }, () => {
  let world: World
  before(async () => {
    world = await World.open()
  })
  after(() => world[Symbol.asyncDispose]())

  it('twice for a backup, shown neither time, and once to restore it', async () => {
    const file = join(world.folder, 'typed.age')
    const made = atTerminal({}, 'backup', file, '--passphrase-file', '-')
    await made.answer(/Passphrase: /, PASSPHRASE)
    await made.answer(/Once more: /, PASSPHRASE)
    assert.equal(await made.ended(), 0, made.shown)
    assert.ok(!made.shown.includes(PASSPHRASE), 'nobody reads it over a shoulder')
    assert.match(made.shown, /, encrypted\./)
    assert.equal(readFileSync(file).subarray(0, 21).toString(), 'age-encryption.org/v1')

    const place = {
      GATEHOUSE_DATA_DIR: join(world.folder, 'back/data'),
      GATEHOUSE_EVENT_DIR: join(world.folder, 'back/event'),
    }
    const restored = atTerminal(place, 'restore', file)
    await restored.answer(/Passphrase[^\n]*: /, PASSPHRASE)
    assert.equal(await restored.ended(), 0, restored.shown)
    assert.ok(!restored.shown.includes(PASSPHRASE))
    assert.deepEqual(
      readFileSync(join(place.GATEHOUSE_DATA_DIR, 'admin-token')),
      readFileSync(join(world.folder, 'data/admin-token')),
    )
  })

  it('a slip, a short one, and giving up leave no file', async () => {
    const file = join(world.folder, 'slip.age')
    const slip = atTerminal({}, 'backup', file, '--passphrase-file', '-')
    await slip.answer(/Passphrase: /, PASSPHRASE)
    await slip.answer(/Once more: /, `${PASSPHRASE}s`)
    assert.equal(await slip.ended(), 2)
    assert.match(slip.shown, /The two passphrases do not match/)
    const short = atTerminal({}, 'backup', file, '--passphrase-file', '-')
    await short.answer(/Passphrase: /, 'short')
    assert.equal(await short.ended(), 2)
    assert.match(short.shown, /too short/)
    const given = atTerminal({}, 'backup', file, '--passphrase-file', '-')
    await given.answer(/Passphrase: /, 'half of i\x03', '')
    assert.equal(await given.ended(), 2)
    assert.match(given.shown, /Given up/)
    for (const { shown } of [slip, short, given]) assert.doesNotMatch(shown, /nine blue|half of/)
    assert.ok(!existsSync(file))
  })

  function atTerminal(environment: object, ...args: string[]) {
    const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ')
    const env = { PATH: process.env.PATH, ...world.environment, ...environment }
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env,
      cwd: world.folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    return new Terminal(child)
  }
})

class Terminal {
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>
  #from = 0
  shown = ''

  constructor(child: ChildProcess) {
    this.#child = child
    this.#ended = once(child, 'close').then(([code]) => code)
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.shown += text
      })
  }

  /** Waits for the question, and types. */
  async answer(question: RegExp, text: string, end = '\r'): Promise<void> {
    while (!question.test(this.shown.slice(this.#from))) {
      const ended = await Promise.race([
        once(this.#child.stdout ?? this.#child, 'data').then(() => false),
        this.#ended.then(() => true),
      ])
      if (ended) throw new Error(`It ended before it asked ${question}:\n${this.shown}`)
    }
    this.#from = this.shown.length
    this.#child.stdin?.write(text + end)
  }

  ended(): Promise<number | null> {
    return this.#ended
  }
}
