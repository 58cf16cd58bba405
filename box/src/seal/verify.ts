/** Whether a ledger is what its journal says, and its journal what its box has sealed: everything, from the first entry. */
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { LedgerFileError, type Snapshot } from '../db.ts'
import { max } from '../drizzle/core.ts'
import { readValue } from '../ledger/identity.ts'
import { journal } from '../ledger/schema.ts'
import type { Explainer, Fact } from './explain/explainer.ts'
import { explainersOf } from './explain/explainers.ts'
import { type HeardFacts, heardFacts } from './explain/heard.ts'
import { readVerifierKey } from './note.ts'
import { Problems } from './problems.ts'
import { replay } from './replay.ts'
import { keysOf } from './verifier-key.ts'

export interface VerifyOptions {
  /** What the box's key is known to be, from outside this ledger. */
  expectedKey?: string | undefined
  /** A fraction from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined
}

/**
 * Reads the whole ledger once, in the memory of some pages. It takes a while: half a minute for a million entries.
 * @throws LedgerFileError when it has no identity; NoteError for an expected key that is none
 */
export function verifyLedger({ drizzle }: Snapshot, { expectedKey, onProgress }: VerifyOptions = {}): Verification {
  const problems = new Problems()
  const { log: own, event } = ownKeys({ drizzle })
  if (expectedKey !== undefined) {
    readVerifierKey(expectedKey)
    if (expectedKey !== own) problems.add('another_key', null, 'this ledger signs with another key than the one given')
  }
  const key = readVerifierKey(own)
  const explainers = Object.entries(explainersOf({ drizzle, problems }, readVerifierKey(event)))
  const heard = heardFacts({ drizzle, problems })
  const entries =
    (drizzle
      .select({ last: max(journal.index) })
      .from(journal)
      .get()?.last ?? 0) + 1
  const onEntries = (done: number) => onProgress?.(Math.min(1, done / entries))
  const { size, root, seals } = replay({ drizzle, problems, key, onProgress: onEntries }, (fact) => {
    for (const [, explainer] of explainers) tell(explainer, fact, problems)
    for (const told of factsAfter(heard, fact, problems)) {
      for (const [, explainer] of explainers) tell(explainer, told, problems)
    }
  })
  finish('peer_journal', heard, problems)
  for (const [table, explainer] of explainers) finish(table, explainer, problems)
  const list = problems.list()
  return { ok: list.length === 0, size, root: Buffer.from(root).toString('base64'), seals, problems: list }
}

/** What an entry says was heard; nothing where it says it in no way that can be read. */
function* factsAfter(heard: HeardFacts, fact: Fact, problems: Problems): Generator<Fact> {
  try {
    yield* heard.after(fact)
  } catch (error) {
    unlessDiskFails(error)
    problems.add('unreadable', fact.index, 'the entry does not say what was heard')
  }
}

/** An entry that was changed may lack what every entry of its kind has. */
function tell(explainer: Explainer, fact: Fact, problems: Problems): void {
  try {
    explainer.fact(fact)
  } catch (error) {
    unlessDiskFails(error)
    problems.add('unreadable', fact.index, `the entry does not say what an entry of kind ${fact.kind} says`)
  }
}

/** So may a row: whoever writes into the file writes what he likes. */
function finish(table: string, explainer: Pick<Explainer, 'end'>, problems: Problems): void {
  try {
    explainer.end()
  } catch (error) {
    unlessDiskFails(error)
    problems.add(`unreadable_${table}`, null, `a row holds what does not belong there (${(error as Error).name})`)
  }
}

/** A file that cannot be read is no verdict on what is in it. */
function unlessDiskFails(error: unknown): void {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  if (code?.startsWith('SQLITE_')) throw error
}

/** Of this box's log, and of the event: one and the same where the event began at this box. */
function ownKeys(db: Pick<Snapshot, 'drizzle'>): { log: string; event: string } {
  const [event, box, seed, keyBox = box, logSeed = seed] = [
    ...['event_id', 'box_id', 'signing_seed', 'key_box', 'log_seed'],
  ].map((name) => readValue(db, name))
  if (!event || !box || !keyBox || seed?.length !== 32 || logSeed?.length !== 32) {
    throw new LedgerFileError('This ledger has no identity: it was never opened by a box, or its keys are gone.')
  }
  const identity = { boxId: box.toString(), keyBox: keyBox.toString(), signingSeed: seed, logSeed }
  const { logVerifierKey, verifierKey } = keysOf(event.toString(), identity)
  return { log: logVerifierKey, event: verifierKey }
}
