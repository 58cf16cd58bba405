/** `gatehouse export`: writes the sealed record into one file; the box may be running. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { showProgress } from '../../verify-export.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { readConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { exportChunks } from '../seal/export/export.ts'
import { fileName } from '../seal/export/routes.ts'
import { Sealer } from '../seal/sealer.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { Unanswered } from './exit.ts'
import { openBeside } from './opened.ts'

export const exportRecord: Command = {
  usage: 'export [--out FILE] [--actor NAME] [--json]',
  summary: 'seal the record, and write all of it into one file',
  details: `The box may be running. The file can be checked with "gatehouse verify-export", or without Gatehouse as
box/docs/sealed-record.md describes. It contains no holder's name, no code and no ticket id.`,
  examples: ['gatehouse export --out festival.jsonl'],
  operands: 0,
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      description: 'a file that does not exist yet (default: in this folder, named after event, box and size)',
    },
    actor: { type: 'string', value: 'NAME', description: 'your name, for the journal (default: admin)' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    using opened = await openBeside(readConfig(environment))
    const { ledger, keys } = opened
    const { origin, logKey, logVerifierKey } = keys
    const out = textOf(values.out)
    if (out !== undefined && existsSync(out)) throw new UsageError(`${out} already exists: name another file.`)

    await ledger.commit(() => ledger.append('export', { ...COMMAND_LINE, actor: textOf(values.actor) ?? 'admin' }))
    const sealer = new Sealer({ ledger, origin, signingKey: logKey, logger: createLogger('silent'), now: Date.now })
    const seal = await sealer.seal()
    if (!seal) throw new Unanswered('Nothing is recorded yet: start the box once.')
    const { size } = seal
    const cover = { origin, signingKey: logKey, software: `gatehouse/${packageJson.version}`, madeAt: Date.now(), size }
    const path = out ?? fileName(origin, size)
    writeWhole(path, exportChunks(ledger.db, cover), size)
    const answer = {
      file: path,
      entries: size,
      root: seal.root.toString('base64'),
      verifier_key: logVerifierKey,
    }
    if (values.json) console.log(JSON.stringify(answer))
    else {
      console.log(`${path}: ${size} entries, sealed with root ${answer.root}.`)
      console.log(`To check it: gatehouse verify-export ${path} --key ${answer.verifier_key}`)
    }
    return true
  },
}

/** Writes the whole file, or none under that name. */
function writeWhole(path: string, chunks: Iterable<Buffer>, size: number): void {
  const unfinished = `${path}.part`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    let lines = 0
    for (const chunk of chunks) {
      writeFileSync(file, chunk)
      if (!process.stderr.isTTY) continue
      for (const byte of chunk) if (byte === 0x0a) lines++
      showProgress(Math.min(1, lines / size))
    }
    fsyncSync(file)
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
