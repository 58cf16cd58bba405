/** Reads the state of the machine under the box: problems of its settings, clock, slots, USB stick, free space, temperature. */
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coded, CodeOf } from '@gatehouse/proto/said.ts'
import type { SettingsProblem, Slot, UsbUpdate } from '@gatehouse/proto/wire/appliance.ts'
import { type FieldsOf, fieldsOf, readJson } from './shared-file.ts'

const MOST_PROBLEMS = 50
/** The sentences of one problem. */
const MOST_CODES = 4

/** The mistakes in gatehouse.toml; a problem of its own if the list cannot be read. */
export async function readProblems(folder: string): Promise<SettingsProblem[]> {
  const fields = fieldsOf(await readJson(join(folder, 'problems.json')))
  if (!fields) {
    const message = 'was not read when this box last started: turn it off and on, and look at the card if this stays'
    return [{ where: 'gatehouse.toml', message, coded: [{ code: 'not_read' satisfies CodeOf<'setting'> }] }]
  }
  return fields.list('problems', MOST_PROBLEMS).flatMap((problem) => {
    const [where, message] = [problem.text('where', 100), problem.text('message', 2000)]
    if (!where || !message) return []
    const coded = codesOf(problem)
    return [{ where, message, ...(coded.length > 0 && { coded }) }]
  })
}

/** None of an older version of the image. */
function codesOf(problem: FieldsOf): Coded[] {
  return problem.list('coded', MOST_CODES).flatMap((one) => {
    const code = one.text('code', 60)
    const values = one.values('values')
    return code ? [{ code, ...(Object.keys(values).length > 0 && { values }) }] : []
  })
}

/** State of the clock: synchronised or not, and with what. */
export async function readClock(folder: string): Promise<{ synced: boolean; source: string | null }> {
  const fields = fieldsOf(await readJson(join(folder, 'state/clock.json')))
  return { synced: fields?.flag('synced') ?? false, source: fields?.text('source') || null }
}

export async function readSlots(folder: string): Promise<Slot[]> {
  const fields = fieldsOf(await readJson(join(folder, 'state/slots.json')))
  return (fields?.list('slots', 2) ?? []).flatMap((slot) => {
    const [name, state] = [slot.text('name'), slot.text('state')]
    if (name !== 'A' && name !== 'B') return []
    return {
      ...{ name, running: slot.flag('running'), next: slot.flag('next'), version: slot.text('version') || null },
      state: state === 'good' || state === 'bad' ? state : 'empty',
    }
  })
}

/** Undefined while there is no stick. */
export async function readStick(folder: string): Promise<UsbUpdate[] | undefined> {
  const fields = fieldsOf(await readJson(join(folder, 'state/usb.json')))
  return fields?.list('updates', 20).flatMap((update) => {
    const [name, bytes] = [update.text('name', 200), update.count('bytes')]
    return name && bytes !== undefined ? [{ name, bytes }] : []
  })
}

/** Free and total bytes of the file system of a folder. */
export async function roomOn(folder: string): Promise<{ free: number; total: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return undefined
  }
}

/** Temperature of the processor in degrees Celsius; null if the machine does not report it. */
export async function temperature(path = '/sys/class/thermal/thermal_zone0/temp'): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^-?\d{1,7}\s*$/.test(text) ? Number(text) / 1000 : null
}
