/** The actions of a person at the scanner, as `model.ts` describes them. */

import type { ReadonlySignal, Signal } from '@preact/signals'
import { openClient } from '../box/client.ts'
import { DeviceClock } from '../box/clock.ts'
import { refused } from '../box/refused.ts'
import { readInvite } from '../pairing/invite.ts'
import { keep, tryStoring, wipe, write, writeLater } from '../store/database.ts'
import { gateWords as words } from '../words/core.ts'
import { loadLookUp, loadOverrides, loadPairing, loadPreflight } from './later.ts'
import { type PreflightItem, type Scanner, ScannerError, type ShiftSummary } from './model.ts'
import { openPaired, type PairedScanner } from './paired.ts'
import type { ScannerState } from './state.ts'

export type Actions = Pick<
  Scanner,
  | 'pair'
  | 'unpair'
  | 'choose'
  | 'signOn'
  | 'signOnAs'
  | 'signOff'
  | 'touched'
  | 'scan'
  | 'admit'
  | 'undo'
  | 'open'
  | 'draft'
  | 'seen'
  | 'drop'
  | 'answer'
  | 'admitMore'
  | 'lookUp'
  | 'report'
  | 'addToReport'
  | 'withdrawReport'
  | 'reportWaiting'
  | 'dismissDouble'
  | 'dismissAnnouncement'
  | 'handOver'
  | 'preflight'
  | 'leaveRehearsal'
  | 'retry'
>

/** @param paired null while the scanner is not paired; `pair` and `unpair` set it @param shift what `handOver` returns */
export function actions(
  paired: Signal<PairedScanner | null>,
  state: ScannerState,
  shift: ReadonlySignal<ShiftSummary>,
): Actions {
  const { deps, db, records, otherOrigins, ended } = state
  const required = (): PairedScanner => {
    const scanner = paired.peek()
    if (!scanner) throw new ScannerError(words.notPaired)
    return scanner
  }
  const placed = () => {
    const scanner = required()
    const checkpoint = scanner.placement.checkpoint.peek()
    if (!checkpoint) throw new ScannerError(words.noCheckpoint)
    return { ...scanner, checkpoint }
  }
  return {
    async pair(text, deviceName) {
      const invite = readInvite(text, [deps.origin, ...((await otherOrigins) ?? [])])
      if (paired.peek()) throw new ScannerError(words.invite.paired)
      const client = openClient(invite.origin, deps.fetch)
      const { enrol } = await loadPairing()
      const identity = await enrol(invite, deviceName, {
        client,
        clock: new DeviceClock(deps),
        tryStoring: (key) => tryStoring(db, key),
      })
      // On the disk before anything else: the box does not show the token a second time.
      await write(db, [keep('identity', identity)], 'strict')
      paired.value = await openPaired(identity, state)
    },

    async unpair({ force = false } = {}) {
      const scanner = required()
      const kept = scanner.queue.unsent.peek() + records.aside.peek().length
      if (kept > 0 && !force) throw new ScannerError(words.unpairUnsent(kept))
      paired.value = null
      await scanner.close()
      await wipe(db)
      records.clear(deps.now())
      ended.clear()
    },
    choose: (id) => required().placement.choose(id),
    signOn(operator) {
      const name = operator?.trim() || null
      // An open panel of the person before names people.
      const { operator: before } = records.shift.peek()
      if (before !== null && name !== before) paired.peek()?.tray.clear()
      writeLater(db, records.signOn(name))
    },

    signOnAs: async (name, secret) => required().signOn.on(name, secret),
    signOff: async () => required().signOn.off(),
    touched: () => paired.peek()?.signOn.touched(),

    async scan(payload) {
      const { scanning, checkpoint } = placed()
      return scanning.scan(payload, checkpoint)
    },
    async admit(scanId, reason) {
      const scanner = required()
      const { override } = await loadOverrides()
      const record = await override('admit', scanId, reason, scanner)
      scanner.tray.take(record, undefined, scanId)
      return record
    },
    async undo(scanId, reason) {
      const scanner = required()
      const { override } = await loadOverrides()
      const record = await override('undo', scanId, reason, scanner)
      scanner.tray.remove(scanId)
      return record
    },
    open: (scanId) => paired.value?.tray.find(scanId),
    draft: (scanId, answers) => required().tray.draft(scanId, answers),
    seen: (scanId) => required().tray.seen(scanId),
    drop: (scanId) => required().tray.drop(scanId),
    answer: async (scanId, answers) => (await required().details()).answer(scanId, answers),
    async admitMore(scanId, count) {
      const { details, checkpoint } = placed()
      return (await details()).admitMore(scanId, count, checkpoint)
    },

    lookUp: async (text) => (await loadLookUp()).lookUp(text, required()),
    async report(kind, note) {
      const { incidents, checkpoint, clock } = placed()
      const id = deps.uuid()
      await incidents.report({
        incident_id: id,
        kind,
        checkpoint: checkpoint.id,
        ...(note?.trim() && { note: note.trim() }),
        observed_at: new Date(clock.now()).toISOString(),
      })
      return id
    },
    addToReport: async (id, noteId, note) => required().incidents.addNote(id, { note_id: noteId, note }),
    withdrawReport: async (id) => required().incidents.withdraw(id),
    async reportWaiting(people) {
      const { box, checkpoint } = placed()
      const answer = await box.client
        .POST('/v1/queue', { body: { checkpoint: checkpoint.id, people } })
        .catch((cause) => {
          throw new ScannerError(words.waitingUnreachable, { cause })
        })
      if (answer.error) throw await refused(answer.error)
    },
    dismissDouble: (scanId) => writeLater(db, records.dismissDouble(scanId)),
    dismissAnnouncement: (id) => required().announcements.dismiss(id),

    handOver() {
      const summary = shift.peek()
      paired.peek()?.tray.clear()
      writeLater(db, records.beginShift(Math.round(paired.peek()?.clock.now() ?? deps.now()), null))
      const signOn = paired.peek()?.signOn
      // While no box is reached the person stays signed on: nobody else could sign on.
      writeLater(db, records.signOn(signOn?.current.peek()?.name ?? null))
      void signOn?.off()
      return summary
    },
    preflight: async () => preflight(required()),
    leaveRehearsal: () => required().rehearsal.leave(),
    retry: () => paired.peek()?.link.look(),
  }
}

async function preflight({
  deps,
  identity,
  clock,
  mirrorState,
  link,
  failover,
  directory,
}: PairedScanner): Promise<PreflightItem[]> {
  const boxes = directory.known.peek().map(async (box) => ({ ...box, answers: await failover.answers(box.origin) }))
  const { preflightItems } = await loadPreflight()
  return preflightItems({
    boxes: await Promise.all(boxes),
    now: clock.now(),
    clockOffsetMs: clock.offsetMs.peek(),
    mirror: mirrorState.peek(),
    certificateExpiresAt: identity.certificateExpiresAt,
    link: link.state.peek().state,
    storageKeeping: await deps.storageKeeping(),
    scantRoom: await deps.scantRoom(),
  })
}
