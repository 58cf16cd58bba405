/** Reads `gatehouse.toml` key by key, and collects every mistake in it. Pure. */

import { parse, TomlError } from 'smol-toml'
import { coded } from '../../proto/said.ts'
import type { Form, SettingCode } from './forms.ts'

/** One mistake, for the person who edits the file: its place, and what to write instead. */
export interface Problem {
  /** `wifi.password`, or `line 4` */
  where: string
  message: string
  /** The same as codes, for apps: each is a sentence, and they follow one another. */
  coded: readonly SettingCode[]
}

/** All keys, by section. The file that comes with the image names each of them. */
export const KEYS = {
  box: ['name', 'event', 'public_host', 'wallet_over_http', 'look_up', 'pretixscan', 'show_admin_token'],
  network: ['address', 'gateway', 'dns'],
  wifi: ['mode', 'ssid', 'password', 'country', 'channel', 'address'],
  time: ['servers'],
  tls: ['certificate', 'key'],
  certificate: ['name', 'dns', 'dns_at', 'dns_secret', 'dns_record', 'contact', 'directory', 'ca'],
  oidc: ['issuer', 'client_id', 'secret', 'roles', 'groups_claim', 'scope', 'prompt', 'ca'],
  hq: ['address', 'ca'],
  mesh: ['invite'],
} as const
export type Section = keyof typeof KEYS

export class SettingsFile {
  readonly problems: Problem[] = []
  readonly #table: Table

  constructor(text: string) {
    this.#table = parseToml(text, this.problems)
    noteUnknown(this.#table, this.problems)
  }

  /** The value of a key, of any type; undefined if the key is not in the file. */
  at(section: Section, key: string): unknown {
    const found = this.#table[section]
    return isTable(found) ? found[key] : undefined
  }

  wrong(section: Section, key: string, message: string, ...coded: SettingCode[]): undefined {
    this.problems.push({ where: `${section}.${key}`, message, coded })
    return undefined
  }

  /** A text that fits the form; undefined if it is missing, empty or wrong. */
  text(section: Section, key: string, { fits, should, coded }: Form): string | undefined {
    const value = this.at(section, key)
    if (value === undefined || value === '') return undefined
    return typeof value === 'string' && fits(value) ? value : this.wrong(section, key, should, coded)
  }

  flag(section: Section, key: string): boolean {
    const value = this.at(section, key)
    if (value === undefined || typeof value === 'boolean') return value ?? false
    this.wrong(section, key, 'is true or false, without quotes', coded('true_or_false'))
    return false
  }

  /** A list of up to 8 texts; one text alone counts as a list of one. Empty if it is missing or wrong. */
  texts(section: Section, key: string, { fits, should, coded }: Form): string[] {
    const value = this.at(section, key) ?? []
    const list = typeof value === 'string' ? [value] : value
    if (Array.isArray(list) && list.length <= 8 && list.every((one) => typeof one === 'string' && fits(one)))
      return list
    this.wrong(section, key, should, coded)
    return []
  }

  /** Two keys that need each other: both values, or undefined. */
  pair<A extends string, B extends string>(
    section: Section,
    first: A,
    second: B,
    form: Form,
  ): { [name in A | B]: string } | undefined {
    const [one, two] = [this.text(section, first, form), this.text(section, second, form)]
    if (one !== undefined && two !== undefined) return { [first]: one, [second]: two } as { [name in A | B]: string }
    if (this.at(section, first) !== undefined && this.at(section, second) === undefined)
      this.#lacks(section, second, first)
    if (this.at(section, second) !== undefined && this.at(section, first) === undefined)
      this.#lacks(section, first, second)
    return undefined
  }

  #lacks(section: Section, key: string, other: string): void {
    this.wrong(section, key, `is missing: it goes with ${other}`, MISSING, coded('goes_with', { key: other }))
  }
}

/** Before it is said what the key is for. */
export const MISSING: SettingCode = coded('missing')

type Table = { [key: string]: unknown }

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function parseToml(text: string, problems: Problem[]): Table {
  try {
    // Notepad begins a file with a byte order mark.
    return parse(text.replace(/^﻿/, '')) as Table
  } catch (error) {
    const where = error instanceof TomlError ? `line ${error.line}` : 'gatehouse.toml'
    const [said = ''] = (error as Error).message.replace(/^Invalid TOML document: /, '').split('\n')
    const message = `${said}. Nothing of the file was used: correct it, then start the box again`
    problems.push({ where, message, coded: [coded('not_toml', { why: said })] })
    return {}
  }
}

function noteUnknown(table: Table, problems: Problem[]): void {
  for (const [section, value] of Object.entries(table)) {
    if (!Object.hasOwn(KEYS, section)) {
      const home = Object.entries(KEYS).find(([, keys]) => (keys as readonly string[]).includes(section))?.[0]
      problems.push({
        where: shown(section),
        message: home ? `stands under [${home}]` : 'is not a section of this version',
        coded: [home ? coded('stands_under', { section: home }) : coded('no_section')],
      })
      continue
    }
    if (!isTable(value)) {
      const message = `is a section: write [${section}] on a line of its own`
      problems.push({ where: section, message, coded: [coded('a_section', { section })] })
      continue
    }
    const keys = KEYS[section as Section] as readonly string[]
    for (const key of Object.keys(value))
      if (!keys.includes(key))
        problems.push({
          where: `${section}.${shown(key)}`,
          message: `is not known: ${keys.join(', ')}`,
          coded: [coded('no_key', { keys: keys.join(', ') })],
        })
  }
}

/** A key of the file, short and in ASCII, so that it can be shown. */
function shown(key: string): string {
  return key.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 60)
}
