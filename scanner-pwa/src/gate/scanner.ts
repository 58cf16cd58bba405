/** The scanner's core, as `model.ts` has it: opened once a page, paired or not. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Link, type Scanner, ScannerError, type ShiftSummary } from '../model.ts'
import { gateWords as words } from '../words/en-gate.ts'
import { openClient } from './box-client.ts'
import { DeviceClock } from './clock.ts'
import { Closing } from './closing.ts'
import { keep, openDatabase, readKept, wipe, write } from './database.ts'
import { browserDeps, type Deps } from './deps.ts'
import { enrol } from './enrol.ts'
import { readInvite } from './invite.ts'
import { openPaired, type PairedScanner } from './paired.ts'
import { preflightItems } from './preflight.ts'
import { Records } from './records.ts'

/**
 * Opens what this device has kept. The box is looked for in the background: the scanner can scan at once.
 * @throws ScannerError when another tab has the scanner: the message says so, and opening again may work later
 */
export async function openScanner(deps: Deps = browserDeps()): Promise<Scanner> {
  const release = await deps.lock()
  if (!release) throw new ScannerError(words.otherTab)
  const opened = new Closing()
  opened.defer(release)
  try {
    return await open(deps, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

const NEVER_HEARD: Link = { state: 'alone', heardAt: null, away: null }

async function open(deps: Deps, opened: Closing): Promise<Scanner> {
  const db = await openDatabase(deps.database)
  opened.defer(() => db.close())
  const records = await Records.open(db, deps.now())
  // Nobody waits for it: the box may be away.
  const others = deps.otherOrigins()
  const ended = signal((await readKept(db, 'ended')) ?? null)
  const paired = signal<PairedScanner | null>(null)
  const begin = async (identity: Parameters<typeof openPaired>[0]) => {
    paired.value = await openPaired(identity, { db, deps, records, ended, others })
  }
  opened.defer(() => paired.value?.close())
  const identity = await readKept(db, 'identity')
  if (identity) await begin(identity)

  /** What only a paired scanner has. */
  const of = <T>(read: (scanner: PairedScanner) => T, otherwise: T): ReadonlySignal<T> =>
    computed(() => (paired.value ? read(paired.value) : otherwise))
  const required = (): PairedScanner => {
    if (!paired.value) throw new ScannerError(words.notPaired)
    return paired.value
  }
  const later = (changes: Parameters<typeof write>[1]) => void write(db, changes).catch(() => {})
  const unsent = of(({ queue }) => queue.unsent.value, 0)
  const shift = computed<ShiftSummary>(() => ({
    ...records.shift.value,
    ...{ doubles: records.doubles.value.length, unsent: unsent.value, aside: records.aside.value.length },
  }))

  return {
    pairing: of(({ pairing }) => pairing.value, null),
    checkpoint: of(({ checkpoint }) => checkpoint.value, null),
    link: of(({ link, boxes }) => ({ ...link.state.value, away: boxes.away.value }), NEVER_HEARD),
    boxes: of(({ known }) => known.value, []),
    mirror: of(({ mirror }) => mirror.value, null),
    ...{ unsent, recent: records.recent, shift, doubles: records.doubles, aside: records.aside, ended },
    hold: of(({ hold }) => hold.value, null),
    announcements: of(({ announcements }) => announcements.current.value, []),
    incidents: of(({ incidents }) => incidents.shown.value, []),
    clockOffsetMs: of(({ clock }) => clock.offsetMs.value, null),

    async pair(text, deviceName) {
      const invite = readInvite(text, [deps.origin, ...((await others) ?? [])])
      if (paired.value) throw new ScannerError(words.invite.paired)
      const client = openClient(invite.origin, deps.fetch)
      const clock = new DeviceClock(deps)
      const identity = await enrol(invite, deviceName, { ...deps, client, clock })
      // Once, and on the disk: the box shows the token no second time.
      await write(db, [keep('identity', identity)], 'strict')
      await begin(identity)
    },

    async unpair({ force = false } = {}) {
      const scanner = required()
      const kept = scanner.queue.unsent.value + records.aside.value.length
      if (kept > 0 && !force) throw new ScannerError(words.unpairUnsent(kept))
      paired.value = null
      await scanner.close()
      await wipe(db)
      records.clear(deps.now())
      ended.value = null
    },

    choose: (id) => required().choose(id),
    signOn: (operator) => later(records.signOn(operator?.trim() || null)),

    async scan(payload) {
      const { scanning, checkpoint } = required()
      if (!checkpoint.value) throw new ScannerError(words.noCheckpoint)
      return scanning.scan(payload, checkpoint.value)
    },

    admit: (scanId, reason) => required().scanning.override('admit', scanId, reason),
    undo: (scanId, reason) => required().scanning.override('undo', scanId, reason),

    async report(kind, note) {
      const { incidents, checkpoint, clock } = required()
      if (!checkpoint.value) throw new ScannerError(words.noCheckpoint)
      await incidents.report({
        ...{ incident_id: deps.uuid(), kind, checkpoint: checkpoint.value.id },
        ...(note?.trim() && { note: note.trim() }),
        observed_at: new Date(clock.now()).toISOString(),
      })
    },

    dismissDouble: (scanId) => later(records.dismissDouble(scanId)),
    dismissAnnouncement: (id) => required().announcements.dismiss(id),

    handOver() {
      const summary = shift.value
      later(records.beginShift(Math.round(paired.value?.clock.now() ?? deps.now()), null))
      later(records.signOn(null))
      return summary
    },

    async preflight() {
      const { identity, clock, mirror, link, boxes, known } = required()
      return preflightItems({
        boxes: await Promise.all(
          known.value.map(async (box) => ({ ...box, answers: await boxes.answers(box.origin) })),
        ),
        ...{ now: clock.now(), clockOffsetMs: clock.offsetMs.value, mirror: mirror.value },
        ...{ certificateExpiresAt: identity.certificateExpiresAt, link: link.state.value.state },
        storagePersisted: await deps.storagePersisted().catch(() => undefined),
      })
    },

    retry: () => paired.value?.link.look(),
    close: () => opened.close(),
  }
}
