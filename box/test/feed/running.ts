/** An engine in a folder of its own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine, type EngineSink } from '../../src/feed/engine/engine.ts'
import type { Source } from '../../src/feed/source.ts'

export interface LogLine extends Record<string, unknown> {
  level: 'info' | 'warn' | 'error'
  message: string | undefined
}

export class EngineFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'changefeed-'))
  readonly lines: LogLine[] = []
  /** Unix ms; a test makes it jump. */
  now = () => Date.now()

  readonly log = {
    info: (fields: object, message?: string) => void this.lines.push({ ...fields, level: 'info', message }),
    warn: (fields: object, message?: string) => void this.lines.push({ ...fields, level: 'warn', message }),
    error: (fields: object, message?: string) => void this.lines.push({ ...fields, level: 'error', message }),
  }

  get positionsPath(): string {
    return join(this.path, 'positions.json')
  }

  engine(source: Source, sinks: readonly EngineSink[], { graceMs = 5000, heldMs = 1000 } = {}): Engine {
    return new Engine({
      source,
      sinks,
      graceMs,
      heldMs,
      positionsPath: this.positionsPath,
      log: this.log,
      random: () => 0.5,
      now: () => this.now(),
      monotonic: () => performance.now(),
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
