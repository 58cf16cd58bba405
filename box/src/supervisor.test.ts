import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from './log.ts'
import { environmentWithout, Supervisor, type SupervisorOptions } from './supervisor.ts'

/** A program under supervision, with what is logged of it. */
function supervised(start: () => ChildProcess, options: Partial<SupervisorOptions> = {}) {
  const lines: { event: string; again_in_ms?: number; code?: number; signal?: string }[] = []
  const sink = new Writable({
    write: (chunk, _, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const supervisor = new Supervisor({
    name: 'program',
    start,
    wait: { initialMs: 5, maxMs: 15 },
    steadyMs: 60_000,
    logger: createLogger('debug', sink),
    monotonic: () => performance.now(),
    ...options,
  })
  return { supervisor, lines, waits: () => lines.flatMap(({ again_in_ms }) => again_in_ms ?? []) }
}

const script = (text: string) => () => spawn('sh', ['-c', text], { stdio: 'ignore' })
const sleeper = script('exec sleep 60')

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = performance.now() + 30_000; !isTrue(); await sleep(5))
    if (performance.now() > end) throw new Error('It did not come to pass.')
}

describe('a program under supervision', () => {
  test('comes back when it has ended, each time later, up to the longest wait', async () => {
    const times: number[] = []
    const { supervisor, lines, waits } = supervised(script('exit 3'), { onEnded: (count) => times.push(count) })
    await using _supervisor = supervisor
    await until(() => waits().length >= 4)
    assert.deepEqual(waits().slice(0, 4), [5, 10, 15, 15])
    assert.deepEqual(times.slice(0, 4), [1, 2, 3, 4])
    assert.deepEqual([lines[0]?.event, lines[0]?.code], ['program_ended', 3])
  })

  test('waits as at first when it has run for a while', async () => {
    let now = 0
    const monotonic = () => {
      now += 60_001
      return now
    }
    const { supervisor, waits } = supervised(script('exit 3'), { monotonic })
    await using _supervisor = supervisor
    await until(() => waits().length >= 3)
    assert.deepEqual(waits().slice(0, 3), [5, 5, 5])
  })

  for (const [how, start] of [
    [
      'throws',
      () => {
        throw new Error('no process left')
      },
    ],
    ['is emitted', () => spawn('/nowhere')],
  ] as const) {
    test(`is tried again where its start fails with an error that ${how}`, async () => {
      let tries = 0
      const { supervisor, lines } = supervised(() => (tries++ < 2 ? start() : sleeper()))
      await using _supervisor = supervisor
      assert.equal(supervisor.pid, undefined)
      await until(() => supervisor.pid !== undefined)
      assert.deepEqual(
        lines.map(({ event }) => event),
        ['program_not_started', 'program_ended', 'program_not_started', 'program_ended'],
      )
    })
  }

  test('is prepared before each start, and says when it has ended', async () => {
    const calls: string[] = []
    const { supervisor } = supervised(
      () => {
        calls.push('start')
        return sleeper()
      },
      { prepare: async () => void calls.push('prepare'), onEnded: () => void calls.push('ended') },
    )
    await using _supervisor = supervisor
    await until(() => supervisor.pid !== undefined)
    supervisor.signal('SIGKILL')
    await until(() => calls.filter((call) => call === 'start').length === 2)
    assert.deepEqual(calls, ['prepare', 'start', 'ended', 'prepare', 'start'])
  })

  test('is gone when it was stopped, does not come back, and may be started again', async () => {
    const { supervisor, lines } = supervised(sleeper)
    await using _supervisor = supervisor
    await until(() => supervisor.pid !== undefined)
    const { pid = 0 } = supervisor
    assert.equal(await supervisor.stop(), false, 'by the signal')
    assert.throws(() => process.kill(pid, 0))
    await sleep(30)
    assert.deepEqual([supervisor.pid, lines], [undefined, []])
    await supervisor.restart()
    await until(() => supervisor.pid !== undefined)
  })

  test('comes back also where what was to happen between its end and its start fails', async () => {
    const { supervisor } = supervised(sleeper)
    await using _supervisor = supervisor
    await until(() => supervisor.pid !== undefined)
    const { pid } = supervisor
    await assert.rejects(
      supervisor.restart(() => Promise.reject(new Error('no disk'))),
      /no disk/,
    )
    await until(() => supervisor.pid !== undefined && supervisor.pid !== pid)
  })

  test('runs once where it is restarted at the moment at which it ends by itself', async () => {
    let starts = 0
    // Its child goes on with its output: it has exited, and is not closed yet.
    const leaves = () => spawn('sh', ['-c', 'sleep 0.5 & exit 3'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const { supervisor, lines } = supervised(() => (starts++ === 0 ? leaves() : sleeper()))
    await using _supervisor = supervisor
    await until(() => starts === 1 && supervisor.pid === undefined)
    await supervisor.restart()
    await until(() => supervisor.pid !== undefined)
    await sleep(700)
    assert.deepEqual([starts, lines], [2, []])
  })

  test('has ended by itself where it answers the signal', async () => {
    const { supervisor } = supervised(script('trap "exit 1" TERM; while :; do sleep 0.01; done'))
    await until(() => supervisor.pid !== undefined)
    await sleep(100)
    assert.equal(await supervisor.stop(), true)
  })

  test('is not started where it was stopped while it was prepared', async () => {
    const prepared = Promise.withResolvers<void>()
    let starts = 0
    const { supervisor } = supervised(
      () => {
        starts++
        return sleeper()
      },
      { prepare: () => prepared.promise },
    )
    const stopped = supervisor.stop()
    prepared.resolve()
    await stopped
    assert.equal(starts, 0)
  })
})

test('the environment of a child has none of the settings of this process', () => {
  process.env.GATEHOUSE_TEST_SETTING = 'x'
  try {
    const environment = environmentWithout('GATEHOUSE_')
    assert.deepEqual([environment.GATEHOUSE_TEST_SETTING, environment.PATH], [undefined, process.env.PATH])
  } finally {
    delete process.env.GATEHOUSE_TEST_SETTING
  }
})
