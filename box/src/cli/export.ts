/** `gatehouse export`: the sealed record in one file, also beside a running box. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { showProgress } from '../../verify-export.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { openLedger } from '../ledger/open.ts'
import { createLogger } from '../log.ts'
import { exportChunks } from '../seal/export.ts'
import { fileName } from '../seal/export-routes.ts'
import { Sealer } from '../seal/sealer.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { Unanswered } from './exit.ts'
import { UsageError } from './usage.ts'

export const exportRecord: Command = {
  usage: 'export [--out FILE]',
  summary: 'seal the record and write all of it into one file',
  details: `  Works beside a running box. Whoever gets the file checks it with "gatehouse verify-export", or without Gatehouse:
  box/docs/sealed-record.md. It holds no holder's name, no code and no ticket id.`,
  operands: 0,
  options: {
    out: { type: 'string', description: 'where to (default: a file here, named after event, box and size)' },
    actor: { type: 'string', description: 'who takes it, for the record (default: admin)' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig(environment)
    const event = await readEvent(config.eventDir)
    const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const { origin, logKey, logVerifierKey } = keysOf(event.id, identity)
    const out = textOf(values.out)
    if (out !== undefined && existsSync(out)) throw new UsageError(`${out} is there already: name another file.`)

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

/** All of it, or no file of that name. */
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
