/** `gatehouse verify`: replays the ledger from its first entry; the box may be running. */
import { join } from 'node:path'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { readConfig } from '../config.ts'
import { openSnapshot } from '../ledger/db.ts'
import { NoteError } from '../seal/note.ts'
import { verifyLedger } from '../seal/verify.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'

export const verify: Command = {
  usage: 'verify [--key VKEY] [--json]',
  summary: "verify this box's record: its journal, its seals, and every table against them",
  details: `The box may be running. box/docs/sealed-record.md explains each kind of problem, and what a record that verifies
does not prove.`,
  statuses: { 0: 'the record is valid', 1: 'it is not; the first problem of each kind is listed' },
  examples: ['gatehouse verify'],
  operands: 0,
  options: {
    key: {
      type: 'string',
      value: 'VKEY',
      description: "the box's verifier key, as you know it from elsewhere (default: the box's own)",
    },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const { dataDir } = readConfig(environment)
    using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
    const verification = check(() =>
      verifyLedger(snapshot, { expectedKey: textOf(values.key), onProgress: showProgress() }),
    )
    console.log(values.json ? JSON.stringify(verification) : describe(verification))
    return verification.ok
  },
}

function check(work: () => Verification): Verification {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
    throw new UsageError(`--key takes a verifier key, as in the answer to GET /v1/meta (${error.code}).`)
  }
}

/** Overwrites one line of a terminal; writes a line for every tenth into a file. */
function showProgress(): (fraction: number) => void {
  const { isTTY } = process.stderr
  let shown = -1
  return (fraction) => {
    const percent = Math.floor(fraction * 100)
    if (percent === shown || (!isTTY && percent < shown + 10 && percent < 100)) return
    shown = percent
    process.stderr.write(isTTY ? `\r${percent} %${fraction === 1 ? '\n' : ''}` : `${percent} %\n`)
  }
}

function describe({ ok, size, root, seals, problems }: Verification): string {
  const lines = problems.map(({ index, kind, detail, count }) => {
    const where = index === null ? '' : ` at entry ${index}`
    return `  ${kind}${where}: ${detail}${count > 1 ? `, and ${count - 1} more` : ''}`
  })
  const verdict = ok ? 'The record is valid' : 'The record is not valid'
  return [`${verdict}: ${size} entries, ${seals} seals, root ${root}`, ...lines].join('\n')
}
