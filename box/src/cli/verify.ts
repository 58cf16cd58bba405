/** `gatehouse verify`: replays the ledger from its first entry, also beside a running box. */
import { join } from 'node:path'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { readConfig } from '../config.ts'
import { openSnapshot } from '../db.ts'
import { NoteError } from '../seal/note.ts'
import { verifyLedger } from '../seal/verify.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { UsageError } from './usage.ts'

export const verify: Command = {
  usage: 'verify [--key VKEY]',
  summary: 'replay the whole record: entries, seals, and every table against them',
  details: `  Exit status 1: something speaks against the record; the first place of each kind is listed.
  What each kind means, and what a record that verifies does not prove, is in box/docs/sealed-record.md.`,
  operands: 0,
  options: {
    key: { type: 'string', description: "the box's verifier key as you know it from elsewhere" },
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
    throw new UsageError(`--key takes a verifier key, as GET /v1/meta tells it (${error.code}).`)
  }
}

/** On a terminal one line that is written over; in a log file a line for every tenth. */
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
  const verdict = ok ? 'The record holds' : 'The record does not hold'
  return [`${verdict}: ${size} entries, ${seals} seals, root ${root}`, ...lines].join('\n')
}
