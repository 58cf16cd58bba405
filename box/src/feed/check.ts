/** `changefeed check`: whether database and receivers are ready for this configuration. A start warns of the same risks. */
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedConfig, SinkConfig } from './config/config.ts'
import { checkSource } from './daemon-source.ts'

/** `unknown`: it could not be asked, and other findings may be hidden behind that. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error' | 'unknown'
  /** The part that was checked: `source`, `sink north`, `control plane`. */
  readonly about: string
  /** The finding, and its remedy. */
  readonly text: string
}

/** A sink's check may hang on a receiver that accepts the connection and sends nothing. */
const SINK_MS = 10_000

/** All findings, in the order of the configuration. Changes nothing. */
export async function runChecks(
  config: FeedConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const [state, source, sinks] = await Promise.all([
    checkStateDir(config.stateDir),
    checkSource(config, environment),
    Promise.all(config.sinks.map(checkSink)),
  ])
  const doubts = config.warnings.map((text): Finding => ({ level: 'warning', about: 'configuration', text }))
  return [...doubts, ...checkServer(config.server), ...state, ...source, ...sinks]
}

/** 0: nothing to correct. 1: something. 2: it could not be asked. */
export function exitStatus(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ level }) => level === 'unknown')) return 2
  return findings.some(({ level }) => level === 'error') ? 1 : 0
}

const WORDS = { ok: 'ok', warning: 'WARN', error: 'FIX', unknown: 'ASK' }

export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ level, about, text }) => `${WORDS[level].padEnd(5)} ${about}: ${text.replaceAll('\n', '\n      ')}`)
    .join('\n')
}

/** Risks of the control plane as it is configured. */
export function checkServer({ host, authToken, tls }: FeedConfig['server']): Finding[] {
  const about = 'control plane'
  const findings: Finding[] = []
  const local = /^(127\.|::1$|localhost$)/.test(host)
  if (!local && !tls) {
    const text = `${host} can be reached from elsewhere, and without TLS the token travels readable: set server.tls, or listen on 127.0.0.1 behind a proxy`
    findings.push({ level: 'warning', about, text })
  }
  if (authToken !== undefined && authToken.length < 16) {
    const text =
      'server.authToken is shorter than 16 characters and can be guessed: openssl rand -hex 32 makes a good one'
    findings.push({ level: 'warning', about, text })
  }
  if (authToken === undefined) {
    findings.push({ level: 'ok', about, text: 'no server.authToken: each start makes one, and prints it' })
  }
  return findings
}

async function checkStateDir(stateDir: string): Promise<Finding[]> {
  const about = 'stateDir'
  try {
    await access(await existing(stateDir), constants.W_OK | constants.X_OK)
    return [{ level: 'ok', about, text: stateDir }]
  } catch (error) {
    const text = `${stateDir} cannot be written to (${(error as Error).message}): give it to the daemon's user, or set another`
    return [{ level: 'error', about, text }]
  }
}

/** The folder, or the nearest one above it that exists. */
async function existing(path: string): Promise<string> {
  try {
    await access(path)
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return existing(dirname(path))
  }
}

async function checkSink({ id, kind, from, options }: SinkConfig): Promise<Finding> {
  const about = `sink ${id}`
  if (!kind.check) return { level: 'ok', about, text: `${from}: there is nobody to ask` }
  const timer = new AbortController()
  const silence = sleep(SINK_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`the receiver says nothing within ${SINK_MS / 1000} s`)
  })
  try {
    await Promise.race([kind.check(options as never), silence])
    return { level: 'ok', about, text: `${from}: the receiver answers` }
  } catch (error) {
    return { level: 'error', about, text: (error as Error).message }
  } finally {
    timer.abort()
    silence.catch(() => {})
  }
}
