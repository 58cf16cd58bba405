/** The faults of a run, injected one after the other. Each names the boxes that may be cut off from others meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from './lab.ts'
import type { LabBox } from './lab-box.ts'

export interface Fault {
  name: string
  /** Abilities of the machine that some faults need. */
  needs: 'cables' | 'processes'
  /** Indices of the boxes that may not reach the others while it lasts, in a run of so many boxes. */
  alone: (boxes: number) => readonly number[]
  /** Injects the fault, waits for `seconds`, and repairs it. */
  run: (lab: Lab, seconds: number) => Promise<void>
}

/** Tickets of one fault, which no gate scans. */
export const STORM = Array.from({ length: 10_000 }, (_, i) => `STORM-${i}`)

const all = (boxes: number) => [...Array(boxes).keys()]
const only =
  (...which: number[]) =>
  () =>
    which

export const FAULTS: readonly Fault[] = [
  ...[0, 1, 2].map((box) => cut(`box ${box} cut off`, only(box), (lab) => lab.isolate(box))),
  cut('every box for itself', all, (lab) => {
    for (const box of lab.boxes.keys()) lab.isolate(box)
  }),
  cut('two of three cut off', only(1, 2), (lab) => {
    lab.isolate(1)
    lab.isolate(2)
  }),
  cut('box 0 is heard, and hears nobody', only(0), (lab) => {
    for (const other of others(lab, 0)) lab.network.cut(other, 0)
  }),
  cut('box 0 hears, and nobody hears it', only(0), (lab) => {
    for (const other of others(lab, 0)) lab.network.cut(0, other)
  }),
  cut('one way between two boxes', only(0, 1), (lab) => lab.network.cut(0, 1)),
  cut('a bridge: 0 and 2 hear each other through 1 alone', only(0, 2), (lab) => lab.cutBoth(0, 2)),
  {
    name: 'ten thousand let in alone, and told all at once',
    needs: 'cables',
    alone: only(1),
    run: async (lab) => {
      lab.isolate(1)
      await lab.boxes[1]?.uploadOffline(STORM)
      lab.healAll()
    },
  },
  flapping('flapping every 3 s', { onMs: 3_000, offMs: 3_000 }),
  flapping('a third of the time nothing gets through', { onMs: 100, offMs: 200 }),
  ...[0, 1, 2].map((box) => killed(`box ${box} killed`, [box])),
  killed('two of three killed', [0, 1]),
  killed('all killed at once', [0, 1, 2]),
  {
    name: 'killed one after the other under load',
    needs: 'processes',
    alone: all,
    run: async (lab, seconds) => {
      const end = performance.now() + seconds * 1000
      for (let i = 0; performance.now() < end; i++) {
        const box = lab.boxes[i % Math.min(3, lab.boxes.length)] as LabBox
        await box.kill()
        await box.start()
        await sleep(1_000)
      }
    },
  },
  {
    name: 'killed between writing a claim and answering it',
    needs: 'cables',
    alone: all,
    run: async (lab, seconds) => {
      const end = performance.now() + seconds * 1000
      for (let i = 0; performance.now() < end; i++) {
        // One of the three leads the reservation stream. It receives this neighbour's reservation and commits it with the third
        // box, but its answer does not arrive; then it is killed.
        const [leader, asking] = [i % 3, (i + 1) % 3]
        lab.network.cut(leader, asking)
        await sleep(400)
        await (lab.boxes[leader] as LabBox).kill()
        lab.healAll()
        await (lab.boxes[leader] as LabBox).start()
        await sleep(1_000)
      }
    },
  },
  ...[0, 1].map((box) => frozen(`box ${box} frozen`, [box])),
  frozen('two of three frozen', [1, 2]),
  clock('a clock an hour ahead', 0, 3_600_000),
  clock('a clock an hour behind', 1, -3_600_000),
  clock('a clock of 1970', 2, -Date.UTC(2026, 6, 1)),
]

function others({ boxes }: Lab, box: number): number[] {
  return [...boxes.keys()].filter((other) => other !== box)
}

function cut(name: string, alone: Fault['alone'], begin: (lab: Lab) => void): Fault {
  const run: Fault['run'] = async (lab, seconds) => {
    begin(lab)
    await sleep(seconds * 1000)
    lab.healAll()
  }
  return { name, needs: 'cables', alone, run }
}

function flapping(name: string, { onMs, offMs }: { onMs: number; offMs: number }): Fault {
  return {
    name,
    needs: 'cables',
    alone: all,
    run: async (lab, seconds) => {
      for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
        lab.isolate(1)
        await sleep(onMs)
        lab.healAll()
        await sleep(offMs)
      }
    },
  }
}

function killed(name: string, which: readonly number[]): Fault {
  return {
    name,
    needs: 'processes',
    // The box that is left may be cut off, and so may those that come back, until they have reached the others.
    alone: all,
    run: async (lab, seconds) => {
      const boxes = which.flatMap((i) => lab.boxes[i] ?? [])
      await Promise.all(boxes.map((box) => box.kill()))
      await sleep(seconds * 1000)
      await Promise.all(boxes.map((box) => box.start()))
    },
  }
}

function frozen(name: string, which: readonly number[]): Fault {
  return {
    name,
    needs: 'processes',
    alone: all,
    run: async (lab, seconds) => {
      for (const i of which) lab.boxes[i]?.freeze()
      await sleep(seconds * 1000)
      for (const i of which) lab.boxes[i]?.thaw()
    },
  }
}

function clock(name: string, box: number, aheadMs: number): Fault {
  return {
    name,
    needs: 'processes',
    alone: only(box),
    run: async (lab, seconds) => {
      await lab.boxes[box]?.skewClock(aheadMs, sleep(seconds * 1000))
    },
  }
}
