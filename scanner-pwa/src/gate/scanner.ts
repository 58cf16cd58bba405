/** The scanner's core, as `model.ts` describes it: opened once for a page, paired or not. */
import { Closing } from '@gatehouse/proto/ui/closing.ts'
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { Ended } from '../box/ended.ts'
import { openDatabase, readKept } from '../store/database.ts'
import { Records } from '../store/records.ts'
import { gateWords as words } from '../words/core.ts'
import { type Actions, actions } from './actions.ts'
import { browserDeps, type Deps } from './deps.ts'
import { type Link, type Scanner, ScannerError, type ShiftSummary } from './model.ts'
import { openPaired, type PairedScanner } from './paired.ts'
import type { ScannerState } from './state.ts'

/**
 * Opens what this device has stored. The box is looked for in the background: the scanner can scan at once.
 * @throws ScannerError when another tab has the scanner: the message says so, and opening again may work later
 */
export async function openScanner(deps: Deps = browserDeps()): Promise<Scanner> {
  const release = await deps.lock()
  if (!release) throw new ScannerError(words.otherTab)
  const opened = new Closing()
  opened.defer(release)
  try {
    const state = await openScannerState(deps, opened)
    const paired = signal<PairedScanner | null>(null)
    opened.defer(() => paired.value?.close())
    const identity = await readKept(state.db, 'identity')
    if (identity) paired.value = await openPaired(identity, state)
    const seen = views(paired, state)
    return { ...seen, ...actions(paired, state, seen.shift), close: () => opened.close() }
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openScannerState(deps: Deps, opened: Closing): Promise<ScannerState> {
  // A page that is opened anew has what was not deleted; in this one every write would fail.
  const db = await openDatabase(deps.database, deps.reopen)
  opened.defer(() => db.close())
  const records = await Records.open(db, deps.now())
  // Not awaited: the box may be away.
  const otherOrigins = deps.otherOrigins()
  return { deps, db, records, otherOrigins, ended: await Ended.open(db) }
}

/** The state to show; `actions.ts` has the actions. */
type Views = Omit<Scanner, keyof Actions | 'close'>

const NEVER_HEARD: Link = { state: 'offline', heardAt: null, away: null }

function views(paired: Signal<PairedScanner | null>, { records, ended }: ScannerState): Views {
  /** A value of the paired scanner, or another one while there is none. */
  const of = <T>(read: (scanner: PairedScanner) => T, unpaired: T): ReadonlySignal<T> =>
    computed(() => (paired.value ? read(paired.value) : unpaired))
  const unsent = of(({ queue }) => queue.unsent.value, 0)
  return {
    pairing: of(({ placement }) => placement.pairing.value, null),
    checkpoint: of(({ placement }) => placement.checkpoint.value, null),
    link: of(({ link, away }) => ({ ...link.state.value, away: away.value }), NEVER_HEARD),
    boxes: of(({ directory }) => directory.known.value, []),
    mirror: of(({ mirrorState }) => mirrorState.value, null),
    codes: of(({ codes }) => codes.value, []),
    unsent,
    recent: records.recent,
    shift: computed<ShiftSummary>(() => ({
      ...records.shift.value,
      doubles: records.doubles.value.length,
      unsent: unsent.value,
      aside: records.aside.value.length,
    })),
    doubles: records.doubles,
    aside: records.aside,
    tray: of(({ tray }) => tray.items.value, []),
    hold: of(({ hold }) => hold.value, null),
    rehearsing: of(({ rehearsal }) => rehearsal.running.value !== null && !rehearsal.running.value.left, false),
    announcements: of(({ announcements }) => announcements.current.value, []),
    incidents: of(({ incidents }) => incidents.shown.value, []),
    clockOffsetMs: of(({ clock }) => clock.offsetMs.value, null),
    ended: ended.reason,
    signOnWanted: of(({ signOn }) => signOn.wanted.value, false),
    locked: of(({ signOn }) => signOn.locked.value, false),
    people: of(({ signOn }) => signOn.names.value, []),
  }
}
