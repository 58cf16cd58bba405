/** Verifies a whole ledger: its tables against its journal, and its journal against its seals. */
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { max } from '../drizzle/core.ts'
import type { Snapshot } from '../ledger/db.ts'
import { LedgerFileError } from '../ledger/db-errors.ts'
import { readValue } from '../ledger/identity.ts'
import { journal } from '../ledger/schema.ts'
import type { Explainer } from './explain/explainer.ts'
import { type ExplainedTable, explainedBy, explainersOf } from './explain/explainers.ts'
import { ReplicatedEntries } from './explain/replicated.ts'
import type { Fact } from './fact.ts'
import { readVerifierKey } from './note.ts'
import { Problems } from './problems.ts'
import { replay } from './replay.ts'
import { keysOf } from './verifier-key.ts'

export interface VerifyOptions {
  /** The box's key, from outside this ledger. */
  expectedKey?: string | undefined
  /** A fraction from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined
}

/**
 * Reads the whole ledger once, and keeps only some pages in memory. A million entries take half a minute.
 * @throws LedgerFileError if it has no identity; NoteError if the expected key is not a verifier key
 */
export function verifyLedger(
  { drizzle, secrets }: Snapshot,
  { expectedKey, onProgress }: VerifyOptions = {},
): Verification {
  const problems = new Problems()
  const { log: own, event } = ownKeys({ drizzle, secrets })
  if (expectedKey !== undefined) {
    readVerifierKey(expectedKey)
    if (expectedKey !== own) problems.add('another_key', null, 'this ledger signs with another key than the one given')
  }
  const key = readVerifierKey(own)
  const explainers = explainersOf({ drizzle, problems }, readVerifierKey(event))
  const replicated = new ReplicatedEntries({ drizzle, problems })
  const explain = (fact: Fact) => {
    for (const table of explainedBy(fact.kind)) add(explainers[table], fact, problems)
  }
  const entries =
    (drizzle
      .select({ last: max(journal.index) })
      .from(journal)
      .get()?.last ?? 0) + 1
  const onEntries = (done: number) => onProgress?.(Math.min(1, done / entries))
  const { size, root, seals } = replay({ drizzle, problems, key, onProgress: onEntries }, (fact) => {
    explain(fact)
    for (const other of replicatedBy(replicated, fact, problems)) explain(other)
  })
  finish('peer_journal', replicated, problems)
  for (const table of Object.keys(explainers) as ExplainedTable[]) finish(table, explainers[table], problems)
  const list = problems.list()
  return { ok: list.length === 0, size, root: Buffer.from(root).toString('base64'), seals, problems: list }
}

/** The entries of another box that this one has brought, as far as they can be read. */
function* replicatedBy(replicated: ReplicatedEntries, fact: Fact, problems: Problems): Generator<Fact> {
  try {
    yield* replicated.after(fact)
  } catch (error) {
    unlessDiskFails(error)
    problems.add('unreadable', fact.index, 'the entry does not say what was heard')
  }
}

/** An entry that somebody has changed may lack what every entry of its kind has. */
function add(explainer: Explainer, fact: Fact, problems: Problems): void {
  try {
    explainer.add(fact)
  } catch (error) {
    unlessDiskFails(error)
    problems.add('unreadable', fact.index, `the entry does not say what an entry of kind ${fact.kind} says`)
  }
}

/** A row that somebody has changed may have values of other types. */
function finish(
  table: ExplainedTable | 'peer_journal',
  explainer: Pick<Explainer, 'finish'>,
  problems: Problems,
): void {
  try {
    explainer.finish()
  } catch (error) {
    unlessDiskFails(error)
    problems.add(`unreadable_${table}`, null, `a row holds what does not belong there (${(error as Error).name})`)
  }
}

/** An error while reading the file is not a problem of its contents. */
function unlessDiskFails(error: unknown): void {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  if (code?.startsWith('SQLITE_')) throw error
}

/** The keys of this box's log and of the event: the same one where the event began at this box. */
function ownKeys(db: Pick<Snapshot, 'drizzle' | 'secrets'>): { log: string; event: string } {
  const [event, box, keyBox = box] = ['event_id', 'box_id', 'key_box'].map((name) => readValue(db, name))
  const seed = db.secrets.get('signing_seed')
  const logSeed = db.secrets.get('log_seed') ?? seed
  if (!event || !box || !keyBox || seed?.length !== 32 || logSeed?.length !== 32) {
    throw new LedgerFileError('This ledger has no identity: it was never opened by a box, or its keys are gone.')
  }
  const identity = { boxId: box.toString(), keyBox: keyBox.toString(), signingSeed: seed, logSeed }
  const { logVerifierKey, verifierKey } = keysOf(event.toString(), identity)
  return { log: logVerifierKey, event: verifierKey }
}
